// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed plot: any tensor as a picture, in the terminal and as a file, and what is said about bad input.
#include "cli/heed_command.h"
#include "support/files.h"

#include <heed/heed.h>

namespace {

using namespace heed::test;
using heed::ones;
using heed::save;
using heed::tensor;

/// A folder with a matrix, a vector and a cube in it.
struct Files {
  Files() {
    save(folder / "weights.npy", tensor({{0, 0.5, 1}, {1, 0.5, 0}}));
    save(folder / "line.npy", tensor({0, 1, 4, 9}));
    save(folder / "heads.npy", ones({2, 3, 2, 2}));
    folder.file("losses.csv", "train,test\n3,4\n2,3\n1,2.5\n");
  }
  Result plot(const std::string& arguments) const {
    return heed_command("plot '" + folder.path() + "'/" + arguments);
  }
  Folder folder;
};

void expect_failure(const Result& r, int code, const std::string& part) {
  EXPECT_EQ(r.code, code) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(lines(r.err), 1) << r.err;
  EXPECT_TRUE(has(r.err, part)) << r.err;
}

TEST(PlotCommand, DrawsAMatrixAsAHeatmap) {
  const Files files;
  const Result r = files.plot("weights.npy --queries 我,eat --keys a,b,c --title T --x-label X --y-label Y");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out,
            "T\n"
            "Y ↓\n"
            "     a  b  c\n"
            "我      ▒▒ ██\n"
            "eat  ██ ▒▒\n"
            "     X →\n"
            "     0 [  ░░▒▒▓▓██] 1\n");
}

TEST(PlotCommand, DrawsAVectorAsALine) {
  const Files files;
  const Result r = files.plot("line.npy --title squares");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "squares\n")) << r.out;
  EXPECT_TRUE(has(r.out, "#")) << r.out;
}

TEST(PlotCommand, NamesLinesAfterTheColumnsOfACsvFile) {
  const Files files;
  const Result r = files.plot("losses.csv --kind lines");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "# train   + test")) << r.out;
  EXPECT_TRUE(has(files.plot("losses.csv --kind lines --columns 1").out, "# test")) << r.out;
  EXPECT_TRUE(has(files.plot("losses.csv --kind lines --names a,b --log").out, "# a   + b")) << r.out;
}

TEST(PlotCommand, PicksAPart) {
  const Files files;
  const Result panels = files.plot("heads.npy --panel-titles x,y,z"),
               one = files.plot("heads.npy --part 1,2");
  EXPECT_TRUE(has(panels.out, "x     y     z")) << panels.out;
  EXPECT_EQ(lines(one.out), 4) << one.out;
}

TEST(PlotCommand, ReadsLabelsFromAFile) {
  const Files files;
  const std::string labels = files.folder.file("labels.txt", "one, with a comma\r\ntwo\n");
  const Result r = files.plot("weights.npy --queries '@" + labels + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "one, with a com…")) << r.out;
}

TEST(PlotCommand, WritesFiles) {
  const Files files;
  for (const char* name : {"p.svg", "p.png", "p.pdf"}) {
    const Result r = files.plot("weights.npy --colours viridis --size 500,300 --out '" + files.folder.path() +
                                "/" + name + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_GT(file_bytes(files.folder / name).size(), 1000u);
  }
  EXPECT_TRUE(has(file_bytes(files.folder / "p.svg"), "width=\"500\" height=\"300\""));
}

TEST(PlotCommand, PoolsAsAsked) {
  const Files files;
  save(files.folder / "spike.npy", heed::eye(2000));
  EXPECT_TRUE(has(files.plot("spike.npy").out, "] 1 ")) << "the largest";
  const Result mean = files.plot("spike.npy --pool mean");
  EXPECT_EQ(mean.code, 0) << mean.err;
  EXPECT_TRUE(has(mean.out, "2000 × 2000 drawn as")) << mean.out;
  EXPECT_FALSE(has(mean.out, "] 1 ")) << mean.out;
}

TEST(PlotCommand, ReadsStandardInput) {
  const Result r = heed_command("plot - <<'END'\n1,2\n3,4\nEND\n");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "] 4")) << r.out;
}

TEST(PlotCommand, SaysWhatIsWrong) {
  const Files files;
  const std::string out = " --out '" + files.folder.path() + "'/";
  expect_failure(files.plot("none.npy"), 1, "none.npy");
  expect_failure(files.plot("weights.npy --queries a,b,c"), 1, "queries: expected 2 labels or none, found 3");
  expect_failure(files.plot("weights.npy --keys @/none"), 1, "cannot read /none: No such file");
  expect_failure(files.plot("weights.npy --keys @/"), 1, "cannot read /");
  expect_failure(files.plot("weights.npy --part 5"), 1, "--part: there is no part 5");
  expect_failure(files.plot("heads.npy --kind lines"), 1,
                 "lines need (n,) or (n, columns), found (2, 3, 2, 2)");
  expect_failure(files.plot("weights.npy --kind lines --columns 7"), 1, "--columns: there is no column 7");
  expect_failure(files.plot("weights.npy --kind lines --names a"), 1,
                 "--names: expected 3, one for each column, found 1");
  expect_failure(files.plot("line.npy --kind heatmap"), 1, "heatmap: values: expected (Lq, Lk)");
  expect_failure(files.plot("weights.npy --range 1,1"), 1, "range: expected low < high");
  expect_failure(files.plot("weights.npy" + out + "x.jpg"), 1, "x.jpg");
  expect_failure(files.plot("weights.npy" + out + "none/x.svg"), 1, "none");
  expect_wrong_usage("plot", "FILE");
  expect_wrong_usage("plot x.npy --kind pie", "--kind");
  expect_wrong_usage("plot x.npy --kind line", "did you mean 'lines'?");
  expect_wrong_usage("plot x.npy --colours red", "did you mean 'reds'?");
  expect_wrong_usage("plot x.npy --colurs reds", "did you mean '--colours'?");
  expect_wrong_usage("plot x.npy --range 1", "--range");
  expect_wrong_usage("plot x.npy --size 0,5", "--size");
  expect_wrong_usage("plot x.npy --part a", "--part");
}

TEST(PlotCommand, SaysWhatIsOnlyForTheOtherKind) {
  const Files files;
  for (const char* option : {"--names a,b,c", "--x x.npy", "--columns 0", "--log"}) {
    const Result r = files.plot("weights.npy --kind heatmap " + std::string(option));
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_TRUE(has(r.err, "only for lines")) << r.err;
  }
  for (const char* option :
       {"--queries a,b", "--keys a,b,c", "--panel-titles a", "--colours reds", "--pool max"}) {
    const Result r = files.plot("weights.npy --kind lines " + std::string(option));
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_TRUE(has(r.err, "only for heatmaps")) << r.err;
  }
}

TEST(PlotCommand, DrawsAMillionRowsAsALightFile) {
  const Files files;
  save(files.folder / "long.npy", heed::sin(heed::arange(1'000'000, heed::f64)));
  const Result r = files.plot("long.npy --out '" + files.folder.path() + "/long.svg'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_LE(file_bytes(files.folder / "long.svg").size(), 2'000'000u);
}

TEST(PlotCommand, WithoutGnuplotTheTerminalStillWorks) {
  const Files files;
  const std::string file = "'" + files.folder.path() + "/weights.npy'",
                    picture = "'" + files.folder.path() + "/x.svg'";
  EXPECT_EQ(heed_command("plot " + file, "PATH=/none").code, 0);
  const Result r = heed_command("plot " + file + " --out " + picture, "PATH=/none");
  expect_failure(r, 1, "gnuplot: the program is not installed");
}

}  // namespace
