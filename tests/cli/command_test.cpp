// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The heed command as users meet it: what it prints, where, and its exit code.
#include "cli/heed_command.h"
#include "support/files.h"

#include <heed/version.h>

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace {

using namespace heed::test;

TEST(Command, PrintsItsVersion) {
  const Result r = heed_command("--version");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.out, std::string("heed ") + heed::version() + "\n");
  EXPECT_EQ(r.err, "");
}

TEST(Command, HelpsOnStandardOutput) {
  const Result r = heed_command("--help");
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(has(r.out, "tour")) << r.out;
  EXPECT_TRUE(has(r.out, "Exit codes")) << r.out;
  EXPECT_EQ(r.err, "");
}

TEST(Command, HelpsWithASubcommand) {
  const Result r = heed_command("tour --help");
  EXPECT_EQ(r.code, 0);
  for (const char* option : {"--only", "--list", "--seed"}) EXPECT_TRUE(has(r.out, option)) << r.out;
}

TEST(Command, NeedsASubcommand) { expect_wrong_usage("", "heed --help"); }
TEST(Command, RefusesAnUnknownSubcommand) { expect_wrong_usage("tuor", "tuor"); }
TEST(Command, RefusesAnUnknownOption) { expect_wrong_usage("tour --nope", "--nope"); }
TEST(Command, RefusesASeedThatIsNoNumber) { expect_wrong_usage("tour --seed x", "--seed"); }
TEST(Command, RefusesANegativeSeed) { expect_wrong_usage("tour --seed=-1", "--seed"); }
TEST(Command, RefusesASeedThatIsTooLarge) {
  expect_wrong_usage("tour --seed 18446744073709551616", "--seed");
}
TEST(Command, SuggestsTheNearestExperiment) {
  expect_wrong_usage("tour --only waste", "did you mean 'waist'?");
}
TEST(Command, RefusesAnEmptyExperiment) { expect_wrong_usage("tour --only ''", "--only"); }
TEST(Command, RefusesANumberOutOfRange) { expect_wrong_usage("tour --only 14", "--list names them all"); }
TEST(Command, RefusesALineBreakInItsMessage) { expect_wrong_usage("tour --only 'a\nb'", "--only"); }

TEST(Command, NamesATierThatIsNotThere) {
  for (const char* arguments : {"tour --only waist", "tour --only multi-head", "explain --shape 1,1,9,8"}) {
    const Result r = heed_command(arguments, "HEED_SIMD=none");
    EXPECT_EQ(r.code, 1) << arguments;
    EXPECT_EQ(lines(r.err), 1) << r.err;
    EXPECT_TRUE(has(r.err, "no tier 'none' on this CPU; there are ")) << r.err;
  }
}

TEST(Command, ListsTheExperiments) {
  const Result r = heed_command("tour --list");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(lines(r.out), 13);
  EXPECT_TRUE(has(r.out, " 1  waist")) << r.out;
  EXPECT_TRUE(has(r.out, "13  dropout")) << r.out;
}

TEST(Command, ShowsOneExperimentByNameOrNumber) {
  const Result by_name = heed_command("tour --only waist");
  EXPECT_EQ(by_name.code, 0);
  EXPECT_TRUE(has(by_name.out, "weight: 45.5\n")) << by_name.out;
  EXPECT_EQ(heed_command("tour --only 1").out, by_name.out);
}

TEST(Command, ShowsSeveralExperimentsInTheOrderOfTheTour) {
  const Result waist = heed_command("tour --only waist"), bmm = heed_command("tour --only bmm");
  for (const char* list : {"waist,bmm", "5,waist", "bmm,1,waist"}) {
    EXPECT_EQ(heed_command("tour --only " + std::string(list)).out, waist.out + bmm.out) << list;
  }
  expect_wrong_usage("tour --only waist,bm", "did you mean 'bmm'?");
  expect_wrong_usage("tour --only waist,", "--only");
}

TEST(Command, OneExperimentAloneHasTheNumbersOfTheWholeTour) {
  const Result tour = heed_command("tour --seed 7");
  ASSERT_EQ(tour.code, 0) << tour.err;
  EXPECT_EQ(tour.err, "");
  for (const char* name : {"regression", "self-attention", "dropout"}) {
    const Result alone = heed_command(std::string("tour --seed 7 --only ") + name);
    EXPECT_FALSE(alone.out.empty());
    EXPECT_TRUE(has(tour.out, alone.out)) << name;
  }
}

TEST(Command, SeedsMatter) {
  EXPECT_NE(heed_command("tour --only masked-softmax --seed 1").out,
            heed_command("tour --only masked-softmax --seed 2").out);
}

TEST(Command, TheWholeTourIsPlainTextWhenPiped) {
  const Result r = heed_command("tour");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_FALSE(has(r.out, "\x1b"));
  EXPECT_FALSE(has(r.out, "\r"));
  for (int number = 1; number <= 13; ++number) {
    const std::string heading = (number < 10 ? "\n " : "\n") + std::to_string(number) + ". ";
    EXPECT_TRUE(has("\n" + r.out, heading)) << number;
  }
}

TEST(Command, WritesTheTourAsOnePage) {
  const Folder folder;
  const Result r = heed_command("tour --only waist --out '" + folder.path() + "/new/folder'");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, folder.path() + "/new/folder/index.html\n");
  const std::string page = contents(folder.path() + "/new/folder/index.html");
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_TRUE(has(page, "weight: 45.5</pre>"));
}

TEST(Command, SaysWhyThePageCannotBeWritten) {
  const Folder folder;
  const std::string file = folder.file("file", "");
  for (const std::string& out : {file, file + "/below"}) {
    const Result r = heed_command("tour --only waist --out '" + out + "'");
    EXPECT_EQ(r.code, 1);
    EXPECT_TRUE(has(r.err, file)) << r.err;
    EXPECT_EQ(lines(r.err), 1) << r.err;
  }
}

TEST(Command, AnErrorOfTheLibraryIsOneLine) {
  const Result r = heed_command("tour --only waist", "HEED_SIMD=nothing");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.err.rfind("heed: HEED_SIMD: ", 0), 0u) << r.err;
  EXPECT_EQ(lines(r.err), 1) << r.err;
}

TEST(Command, AFullDiskIsAFailure) {
  if (!std::ifstream("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const char* arguments : {"tour --only waist", "tour --list", "--help", "--version"}) {
    const Result r = heed_command(std::string(arguments) + " >/dev/full");
    EXPECT_EQ(r.code, 1) << arguments;
    EXPECT_EQ(r.err.rfind("heed: cannot write", 0), 0u) << r.err;
    EXPECT_EQ(lines(r.err), 1) << r.err;
  }
}

}  // namespace
