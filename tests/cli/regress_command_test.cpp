// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed regress as users meet it. Its numbers are compared with numpy's in regress.py.
#include "cli/heed_command.h"
#include "support/files.h"

#include <heed/heed.h>

#include <filesystem>

namespace {

using namespace heed::test;

class RegressCommand : public testing::Test {
 protected:
  RegressCommand() {
    folder.file("people.csv",
                "waist,height,weight\n51,160,40\n56,165,43\n58,170,48\n60,171,47\n65,180,55\n66,NA,50\n");
  }

  Result run(const std::string& arguments) const {
    return heed_command("regress '" + folder / "people.csv" + "' " + arguments + " </dev/null");
  }

  Folder folder;
};

TEST_F(RegressCommand, SaysWhatItFound) {
  const Result r = run("--x waist --y weight --bandwidth 2");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(lines(r.out), 3) << r.out;
  for (const char* part : {"rows       6 used, 0 dropped", "bandwidth  waist 2, as given",
                           "weight     leave-one-out error ", "R² ", " in sample)"}) {
    EXPECT_TRUE(has(r.out, part)) << r.out << part;
  }
  EXPECT_TRUE(has(run("--x waist --y weight").out, ", by cross-validation\n"));
  EXPECT_TRUE(has(run("--x waist --y weight --learn-bandwidth").out, ", by gradient descent\n"));
}

/// A header is data: what of it would move a terminal's cursor is shown as what it is.
TEST_F(RegressCommand, NamesOfColumnsCannotDriveATerminal) {
  folder.file("people.csv", "\"a\x1b[31m\nb\",\"y\x07\"\n1,2\n2,3\n3,5\n");
  const Result r = run("--x \"$(printf 'a\\033[31m\\nb')\" --y \"$(printf 'y\\007')\" --bandwidth 1 --at 2");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(lines(r.out), 6) << r.out;
  EXPECT_TRUE(has(r.out, "a\\x1b[31m\\x0ab 1, as given")) << r.out;
  EXPECT_FALSE(has(r.out, "\x1b") || has(r.out, "\x07")) << r.out;
}

TEST_F(RegressCommand, DropsOnlyRowsThatMissAUsedColumn) {
  EXPECT_TRUE(has(run("--x waist height --y weight --bandwidth 3").out, "5 used, 1 dropped"));
  EXPECT_TRUE(has(run("--x waist --y weight height --bandwidth 3").out, "5 used, 1 dropped"));
}

/// Beyond the data a curve goes on at its last height; between few points it repeats them.
TEST_F(RegressCommand, MarksWhatThereIsLittleGroundFor) {
  const Result r = run("--x waist --y weight --bandwidth 3 --at 58 20 90 65.9");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err,
            "heed: note: of 4 predictions, 2 lie outside the data and 3 rest on fewer than 3 effective "
            "neighbours\n");
  const std::string table = r.out.substr(r.out.find("\nwaist"));
  EXPECT_TRUE(has(table, "weight_lower  weight_upper")) << table;
  std::stringstream rows(table);
  std::vector<std::string> found;
  for (std::string row; std::getline(rows, row);) found.push_back(row);
  ASSERT_EQ(found.size(), 6u) << table;
  EXPECT_FALSE(has(found[2], "outside") || has(found[2], "few points")) << found[2];
  EXPECT_TRUE(has(found[3], "outside") && has(found[4], "outside")) << table;
  EXPECT_TRUE(has(found[5], "few points")) << found[5];
  EXPECT_EQ(run("--x waist --y weight --bandwidth 4 --at 20 --quiet").err, "");
  EXPECT_EQ(run("--x waist --y weight --bandwidth 20 --at 58").err, "");
  EXPECT_TRUE(has(r.out, "(mean square), ")) << r.out;
  EXPECT_TRUE(has(r.out, " (root), R²")) << r.out;
  // What does not count cannot be left.
  EXPECT_EQ(run("--x waist --y weight --bandwidth inf --at 1000").err, "");
}

TEST_F(RegressCommand, PredictsWhereItIsTold) {
  const std::string table = run("--x waist --y weight --bandwidth 1 --at 57 50:60:3,70").out;
  EXPECT_TRUE(has(table, "\nwaist   weight")) << table;
  for (const char* place : {"\n   57  ", "\n   50  ", "\n   55  ", "\n   60  ", "\n   70  "}) {
    EXPECT_TRUE(has(table, place)) << table << place;
  }
  const std::string combined = run("--x waist height --y weight --bandwidth 5 --at 50:60:2,160:170:3").out;
  EXPECT_EQ(lines(combined), 3 + 2 + 6) << combined;
  EXPECT_TRUE(has(combined, "\n   60     165  ")) << combined;
}

TEST_F(RegressCommand, PredictsAtTheRowsOfAFile) {
  const std::string named = folder.file("named.csv", "id,height,waist\n1,165,57\n2,,61\n");
  const std::string nameless = folder.file("nameless.csv", "57,165\n61,NA\n");
  heed::save(folder / "at.npy", heed::tensor({{57, 165}}));
  const std::string fit = "--x waist height --y weight --bandwidth 5 --at ";
  const std::string table = run(fit + "'" + named + "'").out;
  EXPECT_TRUE(has(table, "\n   57     165  ")) << table;
  EXPECT_TRUE(has(table, "\n   61     nan      nan")) << table;
  EXPECT_EQ(run(fit + "'" + nameless + "'").out, table);
  EXPECT_TRUE(has(run(fit + "'" + folder / "at.npy" + "'").out, "\n   57     165  "));
}

TEST_F(RegressCommand, WritesTables) {
  const std::string out = folder / "out.csv";
  const Result r = run("--x waist --y weight --bandwidth 1 --at 57 58 --out '" + out + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(lines(r.out), 3) << "predictions are in the file alone";
  const heed::Table table = heed::load_table(out);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"waist", "weight", "weight_se", "weight_lower",
                                                     "weight_upper", "neighbours", "outside"}));
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(run("--x waist --y weight --out '" + folder / "out.npy" + "'").code, 0);
  EXPECT_EQ(heed::load(folder / "out.npy").shape(), (heed::Shape{6, 1}));
}

TEST_F(RegressCommand, WarnsOfADegenerateChoiceAlone) {
  folder.file("people.csv", "x,y\n1,3\n1,3\n2,5\n2,5\n3,1\n3,1\n4,4\n4,4\n");
  const std::string chosen = run("--x x --y y").out;
  EXPECT_TRUE(has(chosen, "\nwarning    the bandwidth of 'x' is at the low end of the search")) << chosen;
  EXPECT_TRUE(has(run("--x x --y y --json").out, "\"warnings\": [\n    \"the bandwidth of 'x'"));
  EXPECT_FALSE(has(run("--x x --y y --bandwidth 0.01").out, "warning"));
}

TEST_F(RegressCommand, DrawsInTheTerminal) {
  const Result r = run("--x waist --y weight --plot -");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_GT(lines(r.out), 15) << r.out;
  EXPECT_FALSE(has(r.out, "\x1b")) << "a pipe gets plain text";
  EXPECT_EQ(run("--x waist --y weight --plot - --json").code, 2);
}

TEST_F(RegressCommand, DrawsFiles) {
  const std::string svg = folder / "fit.svg";
  const Result r = run("--x waist --y weight height --bandwidth 2 --plot '" + svg + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(contents(svg), "<svg"));
}

TEST_F(RegressCommand, DrawsWhatHasNoExtent) {
  folder.file("people.csv", "waist,weight\n51,40\n51,43\n");
  EXPECT_EQ(run("--x waist --y weight --plot -").code, 0);
  folder.file("people.csv", "waist,weight\n51,40\n");
  EXPECT_EQ(run("--x waist --y weight --bandwidth 1 --plot -").code, 0);
}

TEST_F(RegressCommand, LinesUpWideCharacters) {
  folder.file("people.csv", "身高,y\n3,1\n4,2\n5,5\n");
  const std::string table = run("--x 身高 --y y --bandwidth 0.1 --at 4").out;
  EXPECT_TRUE(has(table, "\n身高  y  y_se  y_lower  y_upper\n   4  2 ")) << table;
}

}  // namespace
