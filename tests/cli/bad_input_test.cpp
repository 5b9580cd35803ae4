// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Files that are not what they should be: one or two lines that say so, exit code 1 or 2, memory bounded.
#include "cli/bad_input.h"

#include <cmath>

namespace heed::test {
namespace {

TEST_F(BadInput, Missing) {
  expect_refused_everywhere("gone.npy", "No such file");
  expect_refused("regress gone.csv --x x --y y", {"gone.csv", "No such file"});
}

TEST_F(BadInput, Empty) {
  folder.file("empty.npy", "");
  folder.file("empty.csv", "");
  expect_refused_everywhere("empty.npy", "byte 0");
  expect_refused("regress empty.csv --x x --y y", {"empty.csv"});
  expect_refused("regress - --x x --y y", {"expected"});
}

/// With little memory, and in no time: what never ends is refused by how it starts, and named.
TEST_F(BadInput, DevicesThatNeverEnd) {
  expect_refused("attend --queries /dev/zero --keys k.npy --values v.npy",
                 {"/dev/zero: byte 0: a zero byte"});
  expect_refused("regress /dev/zero --x x --y y", {"/dev/zero: byte 0: a zero byte"});
  expect_refusal(shell("'" HEED_COMMAND "' attend --queries - --keys k.npy --values v.npy </dev/zero"), "-",
                 {"standard input: byte 0: a zero byte"});
  expect_refusal(
      shell("ulimit -v 600000; yes 1 | '" HEED_COMMAND "' attend --queries - --keys k.npy --values v.npy"),
      "yes", {"standard input: more came through a pipe than there is memory for"});
}

TEST_F(BadInput, Truncated) {
  const std::string whole = file_bytes(folder / "k.npy");
  folder.file("cut.npy", whole.substr(0, whole.size() - 5));
  folder.file("header.npy", whole.substr(0, 40));
  expect_refused_everywhere("cut.npy", "found");
  expect_refused_everywhere("header.npy", "found");
}

TEST_F(BadInput, WrongMagic) {
  folder.file("text.npy", "this is no array, it only looks like one from far away\n");
  expect_refused_everywhere("text.npy", "magic");
}

TEST_F(BadInput, ADirectory) {
  std::filesystem::create_directory(folder / "dir.npy");
  std::filesystem::create_directory(folder / "dir.csv");
  expect_refused_everywhere("dir.npy", "directory");
  expect_refused("regress dir.csv --x x --y y", {"dir.csv", "directory"});
  for (const char* out : {"--out dir.npy", "--weights dir.npy"}) {
    expect_refused(std::string("attend --queries q.npy --keys k.npy --values v.npy ") + out,
                   {"dir.npy", "directory"});
  }
  expect_refused("regress good.csv --x x --y y --out dir.csv", {"cannot write dir.csv: it is a directory"});
}

TEST_F(BadInput, HugeDeclaredSizes) {
  folder.file("huge.npy", npy("<f8", false, "(1000000000, 1000000000)", "few bytes"));
  folder.file("large.npy", npy("<f8", false, "(1000000000, 3)", "few bytes"));
  folder.file("three.csv", "x,y,z\n1,10,1\n2,20,0\n");
  expect_refused_everywhere("huge.npy", "found");
  expect_refused_everywhere("large.npy", "found");
  expect_refused("regress three.csv --x x z --y y --at 0:1:1000000,0:1:1000000",
                 {"--at", "expected at most 10000000 points, found 1000000000000"});
  expect_refused("regress good.csv --x x --y y --at 0:1:99999999999", {"--at", "expected"});
}

TEST_F(BadInput, WrongTypes) {
  heed::save(folder / "flags.npy", heed::ones({2, 4}, heed::boolean));
  heed::save(folder / "half.npy", heed::full({1}, 0.5));
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  expect_refused("attend --queries flags.npy --keys k.npy --values v.npy",
                 {"flags.npy: expected numbers, found booleans"});
  expect_refused(call + "--bias flags.npy", {"flags.npy: expected numbers, found booleans"});
  expect_refused(call + "--mask half.npy", {"half.npy: a mask holds 0 (skip) and 1 (attend), found 0.5"});
  expect_refused(call + "--valid-lens half.npy", {"half.npy: lengths must be whole numbers, found 0.5"});
  folder.file("words.npy", npy("<U3", false, "(1,)", std::string(12, 'a')));
  expect_refused_everywhere("words.npy", "<U3");
}

TEST_F(BadInput, WrongShapes) {
  heed::save(folder / "wide.npy", heed::ones({4, 9}));
  heed::save(folder / "deep.npy", heed::ones({1, 1, 1, 2, 3}));
  heed::save(folder / "few.npy", heed::ones({3, 5}));
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  expect_refused("attend --queries q.npy --keys wide.npy --values v.npy", {"(2, 3)", "(4, 9)"});
  expect_refused("attend --queries deep.npy --keys k.npy --values v.npy", {"(1, 1, 1, 2, 3)"});
  expect_refused("attend --queries q.npy --keys k.npy --values few.npy", {"(4, 3)", "(3, 5)"});
  expect_refused(call + "--bias wide.npy", {"bias", "(4, 9)", "(2, 4)"});
  expect_refused(call + "--mask wide.npy", {"mask", "(4, 9)", "(2, 4)"});
  expect_refused(call + "--valid-lens 1,2,3", {"valid_lens", "found"});
  expect_refused(call + "--valid-lens 5", {"valid_lens[0] is 5, expected 0..4"});
  expect_refused(call + "--score gaussian --bandwidth 1,2", {"bandwidth", "(3,)", "(2,)"});
  expect_refused(call + "--window 1",
                 {"--window: Lq = 2 and Lk = 4 differ", "--align top-left or bottom-right"});
  heed::save(folder / "params.npz", heed::ones({3}));
  expect_refused(call + "--score additive --params params.npz", {"params.npz: no tensor 'W_q'"});
  expect_refused("regress good.csv --x x --y y --at wide.npy",
                 {"wide.npy: expected shape (rows, 1), found (4, 9)"});
}

TEST_F(BadInput, WrongUsage) {
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  expect_wrong_usage("attend", "--queries");
  expect_wrong_usage(call + "--score additive", "--score additive needs it");
  expect_wrong_usage(call + "--bandwidth 2", "only for --score gaussian");
  expect_wrong_usage(call + "--score dot --scale 2", "only for --score scaled-dot");
  expect_wrong_usage(call + "--rows 1", "give --weights or --heatmap");
  expect_wrong_usage(call + "--weights w.npy --rows x", "such as 0,5,10:20");
  expect_wrong_usage(call + "--window -1", "--window");
  expect_wrong_usage(call + "--align top-left", "only for --window");
  expect_wrong_usage(call + "--softcap 0", "--softcap");
  expect_wrong_usage("attend --queries - --keys - --values v.npy",
                     "only one tensor can come from the standard input");
  expect_wrong_usage("regress good.csv --x x", "--y");
  expect_wrong_usage("regress good.csv --x x --y x", "'x' is named twice");
  expect_wrong_usage("regress good.csv --x x --y y --bandwidth 0", "'0' is not a positive number");
  expect_wrong_usage("regress good.csv --x x --y y --bandwidth 1,2", "found 2");
  expect_wrong_usage("regress good.csv --x x --y y --bandwidth 1 --learn-bandwidth", "--bandwidth");
  expect_wrong_usage("regress good.csv --x x --y y --epochs 3", "--learn-bandwidth");
  expect_wrong_usage("regress good.csv --x x z --y y --plot f.svg", "draws one x column, found 2");
  expect_wrong_usage("regress - --x x --y y --at -", "the standard input holds the data already");
}

TEST_F(BadInput, NumbersOutsideTheirRangeAreWrongUsageWhicheverOptionHasThem) {
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  for (const char* number : {"nan", "inf", "-inf"}) {
    expect_wrong_usage(call + "--scale " + number, "--scale");
    expect_wrong_usage(call + "--softcap " + number, "--softcap");
  }
  for (const char* number : {"-1", "0", "nan", "1,-1"}) {
    expect_wrong_usage(call + "--score gaussian --bandwidth " + number, "bandwidth must be positive");
    expect_wrong_usage(std::string("regress good.csv --x x --y y --bandwidth ") + number, "--bandwidth");
  }
}

TEST_F(BadInput, AnEmptyValueIsNotAnOptionThatWasNotGiven) {
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  for (const char* option : {"--bandwidth", "--valid-lens", "--mask", "--bias", "--out", "--weights",
                             "--heatmap", "--scale", "--window", "--causal", "--rows", "--params"}) {
    expect_wrong_usage(call + option + " ''", option);
  }
  for (const char* option : {"--bandwidth", "--out", "--plot", "--weights"}) {
    expect_wrong_usage(std::string("regress good.csv --x x --y y ") + option + " ''", option);
  }
  expect_wrong_usage("bench --only ''", "--only");
  expect_wrong_usage("plot q.npy --part ''", "--part");
  EXPECT_EQ(run("plot q.npy --title ''").code, 0);
}

TEST_F(BadInput, LengthsThatAreNumbersButNotWhole) {
  expect_refused("attend --queries q.npy --keys k.npy --values v.npy --valid-lens 1.5",
                 {"--valid-lens: expected whole numbers, as many in each row, or a file, found '1.5'"});
  expect_refused("attend --queries q.npy --keys k.npy --values v.npy --valid-lens '1,2;3'",
                 {"found '1,2;3'"});
}

TEST_F(BadInput, LongArgumentsAreNotEchoedWhole) {
  const std::string much(20000, 'x');
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  for (const std::string& arguments :
       {call + "--score " + much, call + "--window " + much, call + "--mask " + much, call + "--" + much,
        call + "--scale=" + much, "regress good.csv --x " + much + " --y y", "explain --shape " + much, much,
        "regress " + much + " --x x --y y", "regress good.csv --x x --y y --at " + much,
        "bench --only [" + much, "tour --only " + much}) {
    const Result r = run(arguments);
    EXPECT_NE(r.code, 0) << arguments.substr(0, 80);
    EXPECT_LT(r.err.size(), 700u) << r.err;
    EXPECT_EQ(lines(r.err), 1) << r.err;
  }
}

TEST_F(BadInput, RowsOfTheWeightsThatAreNotThere) {
  const Result r = run("attend --queries q.npy --keys k.npy --values v.npy --weights w.npy --rows 1:3");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(has(r.err, "there is no '1:3' among 2 rows")) << r.err;
}

TEST_F(BadInput, TablesForRegression) {
  folder.file("words.csv", "x,y\n1,10\ntwo,20\n3,30\n");
  folder.file("gaps.csv", "x,y\n1,\n,20\nNA,30\n");
  folder.file("inf.csv", "x,y\n1,inf\n2,20\n");
  folder.file("ragged.csv", "x,y\n1,2,3\n");
  folder.file("header.csv", "x,y\n");
  expect_refused("regress words.csv --x x --y y", {"words.csv", "line 3", "'x'", "'two'"});
  expect_refused("regress gaps.csv --x x --y y", {"gaps.csv", "found none in 3 rows"});
  expect_refused("regress inf.csv --x x --y y", {"inf.csv", "'y'", "expected finite numbers, found inf"});
  expect_refused("regress ragged.csv --x x --y y", {"ragged.csv", "line 2"});
  expect_refused("regress header.csv --x x --y y", {"header.csv", "found none in 0 rows"});
  expect_refused("regress good.csv --x x --y y --at three", {"--at: 'three'", "expected numbers"});
  expect_refused("regress good.csv --x x --y y --at 1 q.npy", {"--at: 'q.npy'"});
  expect_refused("regress good.csv --x y x --y z --at 1", {"no column 'z'"});
}

TEST_F(BadInput, OneRow) {
  folder.file("one.csv", "x,y\n3,7\n");
  expect_refused("regress one.csv --x x --y y", {"needs at least 2 points"});
  const Result r = run("regress one.csv --x x --y y --bandwidth 1 --at 5");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "leave-one-out error undefined")) << r.out;
  EXPECT_TRUE(has(r.out, "5  7")) << r.out;
}

TEST_F(BadInput, ConstantAndDuplicateX) {
  folder.file("constant.csv", "x,y\n3,1\n3,2\n3,6\n");
  const Result constant = run("regress constant.csv --x x --y y --at 100");
  EXPECT_EQ(constant.code, 0) << constant.err;
  EXPECT_TRUE(has(constant.out, "x inf (tells nothing of y)")) << constant.out;
  EXPECT_TRUE(has(constant.out, "100  3")) << constant.out;
  folder.file("twice.csv", "x,y\n1,1\n1,1.2\n2,4\n2,4.2\n3,9\n3,9.2\n");
  const Result twice = run("regress twice.csv --x x --y y --at 2");
  EXPECT_EQ(twice.code, 0) << twice.err;
  EXPECT_TRUE(has(twice.out, "2  4.1")) << twice.out;
  EXPECT_FALSE(has(twice.out, "nan")) << twice.out;
}

TEST_F(BadInput, MissingValuesAreDroppedAndCounted) {
  folder.file("some.csv", "x,y\n1,10\nNA,20\n3,\n4,40\n");
  const Result r = run("regress some.csv --x x --y y --bandwidth 1");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "2 used, 2 dropped")) << r.out;
}

TEST_F(BadInput, NanIsPassedOnByAttentionAndSaid) {
  heed::save(folder / "nan.npy", heed::full({4, 5}, std::nan("")));
  const std::string call = "attend --queries q.npy --keys k.npy --values nan.npy --out o.npy";
  const Result r = run(call);
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(has(r.err, "note: 10 of 10 numbers of the output are NaN")) << r.err;
  EXPECT_EQ(run(call + " --quiet").err, "");
}

}  // namespace
}  // namespace heed::test
