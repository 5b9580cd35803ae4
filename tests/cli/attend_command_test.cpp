// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed attend as users meet it. Its numbers are compared with numpy's in attend.py.
#include "cli/heed_command.h"
#include "cli/on_a_terminal.h"
#include "support/files.h"

#include <heed/heed.h>

#include <filesystem>

namespace {

using namespace heed::test;

class AttendCommand : public testing::Test {
 protected:
  AttendCommand() {
    folder.file("people.csv", "waist,weight\n51,40\n56,43\n58,48\n");
    heed::save(folder / "x.npy", heed::normal({2, 3, 5, 4}));
    heed::save(folder / "long.npy", heed::normal({700, 2}));
  }

  static Result run(const std::string& arguments, const std::string& before = "") {
    return heed_command("attend " + arguments + " </dev/null", before);
  }
  std::string operands(const std::string& name) const {
    const std::string path = " '" + folder / name + "'";
    return "--queries" + path + " --keys" + path + " --values" + path + " ";
  }

  Folder folder;
};

TEST_F(AttendCommand, PrintsTheResultAsATensorForAPersonAndAsCsvForAProgram) {
  const std::string people = folder / "people.csv";
  const std::string call = "--score gaussian --queries '" + folder.file("q.csv", "57\n") + "' --keys '" +
                           people + ":waist' --values '" + people + ":weight'";
  const Result r = run(call);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_NEAR(std::stod(r.out), 45.5, 1e-6);
  EXPECT_EQ(lines(r.out), 1);
  EXPECT_TRUE(has(on_a_terminal("'" HEED_COMMAND "' attend " + call), "tensor([[45.5000]], dtype=f64)"));
}

/// Every number of it, and the same bits again, where a terminal would show the corners.
TEST_F(AttendCommand, APipeGetsAllNumbersWithTheDigitsToReadThemBack) {
  const heed::Tensor x = heed::load(folder / "long.npy");
  const Result r = run(operands("long.npy"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(identical(heed::load(folder.file("back.csv", r.out)).to(heed::f32), attend(x, x, x)));
  // A row for each query, whatever is before them in the shape.
  const Result heads = run(operands("x.npy"));
  const heed::Tensor y = heed::load(folder / "x.npy");
  EXPECT_TRUE(identical(heed::load(folder.file("heads.csv", heads.out)).to(heed::f32),
                        attend(y, y, y).reshape({2 * 3 * 5, 4})));
}

/// Weights and pictures are asked for besides the result, and not instead of it.
TEST_F(AttendCommand, TheResultComesWhateverElseIsAskedFor) {
  const std::string plain = run(operands("long.npy")).out, json = run(operands("long.npy") + "--json").out;
  ASSERT_FALSE(plain.empty());
  for (const char* other : {"--weights '", "--heatmap '"}) {
    const std::string file = std::string(other) + folder / (other[2] == 'w' ? "w.npy" : "w.svg") + "' ";
    EXPECT_EQ(run(operands("long.npy") + file).out, plain) << other;
    EXPECT_EQ(run(operands("long.npy") + file + "--json").out, json) << other;
    EXPECT_EQ(run(operands("long.npy") + file + "--out '" + folder / "o.npy" + "'").out, "") << other;
    EXPECT_EQ(run(operands("long.npy") + file + "--json --out '" + folder / "o.npy" + "'").out, json)
        << other;
  }
  const Result shown = run(operands("x.npy") + "--heatmap -");
  EXPECT_TRUE(shown.out.starts_with("tensor(")) << shown.out;
  expect_wrong_usage("attend " + operands("x.npy") + "--heatmap - --json",
                     "--heatmap: - and --json both print");
}

TEST_F(AttendCommand, PrintsNothingWhenAFileIsWritten) {
  const Result r = run(operands("x.npy") + "--out '" + folder / "o.npy" + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out + r.err, "");
  EXPECT_EQ(heed::load(folder / "o.npy").shape(), (heed::Shape{2, 3, 5, 4}));
}

/// Long calls run in blocks of rows; the bits are those of one call.
TEST_F(AttendCommand, BlocksOfRowsGiveTheBitsOfOneCall) {
  const heed::Tensor x = heed::normal({1, 12000, 1}), lengths = heed::arange(12000, heed::i64).unsqueeze(0);
  heed::save(folder / "many.npy", x);
  heed::save(folder / "lengths.npy", lengths);
  const Result r = run(operands("many.npy") + "--valid-lens '" + folder / "lengths.npy" + "' --out '" +
                       folder / "o.npy" + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(identical(heed::load(folder / "o.npy"), attend(x, x, x, {.mask = heed::valid_lens(lengths)})));
}

TEST_F(AttendCommand, BlocksOfRowsFollowTheDiagonal) {
  const heed::Tensor q = heed::normal({9000, 1}), k = heed::normal({12000, 1});
  heed::save(folder / "q.npy", q);
  heed::save(folder / "k.npy", k);
  const auto file = [&](const char* option, const char* name) {
    return std::string("--") + option + " '" + folder / name + "' ";
  };
  for (const bool queries_are_longer : {false, true}) {
    const heed::Tensor &rows = queries_are_longer ? k : q, &keys = queries_are_longer ? q : k;
    const char* key_file = queries_are_longer ? "q.npy" : "k.npy";
    for (const heed::Align align : {heed::Align::kTopLeft, heed::Align::kBottomRight}) {
      const Result r = run(file("queries", queries_are_longer ? "k.npy" : "q.npy") + file("keys", key_file) +
                           file("values", key_file) + file("out", "o.npy") + "--causal " +
                           (align == heed::Align::kTopLeft ? "top-left" : "bottom-right"));
      EXPECT_EQ(r.code, 0) << r.err;
      EXPECT_TRUE(
          identical(heed::load(folder / "o.npy"), attend(rows, keys, keys, {.mask = heed::causal(align)})));
      const Result windowed =
          run(file("queries", queries_are_longer ? "k.npy" : "q.npy") + file("keys", key_file) +
              file("values", key_file) + file("out", "w.npy") + "--window 500,70 --align " +
              (align == heed::Align::kTopLeft ? "top-left" : "bottom-right"));
      EXPECT_EQ(windowed.code, 0) << windowed.err;
      const heed::Mask band = heed::window({.left = 500, .right = 70, .align = align});
      EXPECT_TRUE(identical(heed::load(folder / "w.npy"), attend(rows, keys, keys, {.mask = band})));
    }
  }
}

TEST_F(AttendCommand, DrawsInTheTerminal) {
  const Result r = run(operands("x.npy") + "--heatmap -");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_GT(lines(r.out), 10) << r.out;
  EXPECT_TRUE(has(r.out, "keys")) << r.out;
  EXPECT_FALSE(has(r.out, "\x1b")) << "a pipe gets plain text";
}

TEST_F(AttendCommand, DrawsFilesDownsampledWhereTheyAreLarge) {
  for (const char* name : {"w.svg", "w.png", "w.pdf"}) {
    const Result r =
        run(operands("long.npy") + "--heatmap '" + folder / name + "' --out '" + folder / "o.npy" + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out + r.err, "");
    EXPECT_GT(std::filesystem::file_size(folder / name), 1000u);
  }
}

/// All weights would take 1.6 GB, and there are 1.0.
TEST_F(AttendCommand, DrawsWhatDoesNotFitIntoMemory) {
  heed::save(folder / "many.npy", heed::normal({20000, 1}));
  const Result r = run(operands("many.npy") + "--window 1 --heatmap -", "ulimit -v 1000000;");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "20000")) << r.out;
}

TEST_F(AttendCommand, DrawsChosenRows) {
  const Result r = run(operands("long.npy") + "--heatmap - --rows 3,600:602");
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* row : {"3", "600", "601"}) EXPECT_TRUE(has(r.out, row)) << r.out;
}

TEST_F(AttendCommand, RefusesMorePanelsThanAnybodyCanSee) {
  heed::save(folder / "batches.npy", heed::ones({65, 2, 2}));
  const Result r = run(operands("batches.npy") + "--heatmap -");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "65 batches of 1 heads are too many panels, expected at most 64")) << r.err;
}

TEST_F(AttendCommand, TakesTheParametersAModuleSaves) {
  heed::nn::AdditiveAttention module({.key_size = 4, .query_size = 4, .num_hiddens = 8});
  module.eval();
  heed::nn::save(module, folder / "params.safetensors");
  const heed::Tensor x = heed::normal({2, 5, 4});
  heed::save(folder / "y.npy", x);
  const Result r = run(operands("y.npy") + "--score additive --params '" + folder / "params.safetensors" +
                       "' --out '" + folder / "o.npy" + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(identical(heed::load(folder / "o.npy"), module(x, x, x)));
}

}  // namespace
