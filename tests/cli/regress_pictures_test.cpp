// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The pictures of heed regress: the fit, the weights, and the loss while the bandwidth was learned.
#include "cli/heed_command.h"
#include "support/files.h"

namespace {

using namespace heed::test;

struct Data {
  Data() : file(folder.file("data.csv", "x,y\n3,1\n1,2\n2,4\n5,3\n4,2\n")) {}
  Result regress(const std::string& arguments) const {
    return heed_command("regress '" + file + "' --x x --y y " + arguments);
  }
  Folder folder;
  std::string file;
};

TEST(RegressPictures, DrawsTheFit) {
  const Data data;
  const Result r = data.regress("--plot '" + data.folder.path() + "/fit.svg'");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(file_bytes(data.folder / "fit.svg"), "95 % band"));
}

TEST(RegressPictures, DrawsTheWeightsSortedByX) {
  const Data data;
  // So narrow that every point looks at itself alone: sorted on both sides, that is the diagonal.
  const Result r = data.regress("--bandwidth 0.1 --weights -");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out,
                  "       1 ██\n"
                  "       2   ██\n"
                  "       3     ██\n"
                  "       4       ██\n"
                  "       5         ██\n"
                  "         1 2 3 4 5\n"))
      << r.out;
  EXPECT_TRUE(has(r.out, "x of the points →")) << r.out;
}

TEST(RegressPictures, DrawsTheLoss) {
  const Data data;
  const Result r =
      data.regress("--learn-bandwidth --epochs 5 --losses '" + data.folder.path() + "/loss.svg'");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(has(file_bytes(data.folder / "loss.svg"), "chart of loss, x from 0 to 5"));
}

TEST(RegressPictures, SaysWhatIsWrong) {
  expect_wrong_usage("regress x.csv --x a --y b --losses l.svg", "--learn-bandwidth");
  expect_wrong_usage("regress x.csv --x a --y b --weights - --json", "--weights");
  const Data data;
  const Result r = data.regress("--weights w.jpg");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "w.jpg")) << r.err;
}

}  // namespace
