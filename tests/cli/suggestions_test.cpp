// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Mistyped options, commands, values and columns: the nearest is suggested.
#include "cli/heed_command.h"

namespace {

using namespace heed::test;

TEST(Suggestions, Commands) {
  expect_wrong_usage("regres", "there is no command 'regres'; did you mean 'regress'? (try heed --help)");
  expect_wrong_usage("tuor", "did you mean 'tour'?");
  expect_wrong_usage("quicksort", "there is no command 'quicksort' (try");
}

TEST(Suggestions, Options) {
  expect_wrong_usage("regress x.csv --x a --y b --bandwith 3",
                     "there is no option --bandwith; did you mean '--bandwidth'? (try heed regress --help)");
  expect_wrong_usage("regress x.csv --x a --y b --bandwith=3",
                     "no option --bandwith; did you mean '--bandwidth'?");
  expect_wrong_usage("attend --query q.npy --keys k.npy --values v.npy", "did you mean '--queries'?");
  expect_wrong_usage("attend --scroe dot", "did you mean '--score'?");
  expect_wrong_usage("doctor --jsn", "did you mean '--json'?");
  expect_wrong_usage("explain --sahpe 4,4", "did you mean '--shape'?");
  expect_wrong_usage("bench --quikc", "did you mean '--quick'?");
  expect_wrong_usage("--versoin", "did you mean '--version'?");
  expect_wrong_usage("doctor --nothing-like-it", "there is no option --nothing-like-it (try");
}

TEST(Suggestions, Values) {
  expect_wrong_usage("attend --queries q --keys k --values v --score gausian",
                     "'gausian' is none of scaled-dot, dot, gaussian, additive; did you mean 'gaussian'?");
  expect_wrong_usage("attend --queries q --keys k --values v --causal left",
                     "'left' is none of top-left, bottom-right");
}

TEST(Suggestions, Columns) {
  const std::string path = scratch_file(".csv");
  std::ofstream(path) << "waist,weight\n1,2\n2,3\n";
  const Result r = heed_command("regress '" + path + "' --x wiast --y weight");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_TRUE(has(r.err, "no column 'wiast'; did you mean 'waist'? There are 'waist', 'weight'")) << r.err;
  EXPECT_EQ(lines(r.err), 1) << r.err;
}

}  // namespace
