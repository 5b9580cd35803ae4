// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

using Texts = std::vector<std::string>;

Table parse(const std::string& text, const CsvOptions& options = {}) {
  const Folder folder;
  return load_table(folder.file("data.csv", text), options);
}

TEST(Csv, ColumnsAndTheWholeTable) {
  const Folder folder;
  const std::string path = folder.file("data.csv", "waist,weight\n51,40\n56,43\n58,48\n");
  EXPECT_TRUE(same_bits(load(path + ":waist"), tensor({51, 56, 58}, f64)));
  EXPECT_TRUE(same_bits(load(path), tensor({{51, 40}, {56, 43}, {58, 48}}, f64)));
  EXPECT_TRUE(same_bits(load_all(path).at("weight"), tensor({40, 43, 48}, f64)));
}

TEST(Csv, MissingValuesAreNan) {
  const Table table = parse("x,y\n1,NA\n,nan\nNaN,\"\"\n-2e-3,+4\n");
  EXPECT_TRUE(near(table.numbers("x"), {1, kNan, kNan, -2e-3}, 0));
  EXPECT_TRUE(near(table.numbers("y"), {kNan, kNan, kNan, 4}, 0));
}

TEST(Csv, QuotesSpacesLineEndsAndMarks) {
  const Table table =
      parse("\xEF\xBB\xBF\"a \"\"b\"\"\", c ,d\r\n\"1,5\", 2 ,\"two\r\nlines\"\r\n\r\n  x,\"y\" ,z");
  EXPECT_EQ(table.names(), (Texts{"a \"b\"", "c", "d"}));
  EXPECT_EQ(table.text("a \"b\""), (Texts{"1,5", "x"}));
  EXPECT_EQ(table.text("c"), (Texts{"2", "y"}));
  EXPECT_EQ(table.text("d"), (Texts{"two\r\nlines", "z"}));
}

TEST(Csv, Header) {
  EXPECT_EQ(parse("1,2\n3,4\n").names(), (Texts{"1", "2"}));
  EXPECT_EQ(parse("1,2\n3,4\n").rows(), 2);
  EXPECT_EQ(parse("1,x\n3,4\n").names(), (Texts{"1", "x"}));
  EXPECT_EQ(parse("1,2\n3,4\n", {.header = CsvHeader::kPresent}).rows(), 1);
  EXPECT_EQ(parse("a,b\nc,d\n", {.header = CsvHeader::kAbsent}).text("2"), (Texts{"b", "d"}));
  EXPECT_EQ(parse("a;b\n1;2\n", {.separator = ';'}).text("b"), (Texts{"2"}));
  EXPECT_EQ(parse("a,b\n").rows(), 0);
  EXPECT_EQ(parse("a,b").numbers().shape(), (Shape{0, 2}));
}

/// Rows that say the same, each in its own way of writing them, and what is said about it.
TEST(Csv, FilesAsProgramsAndCountriesWriteThem) {
  struct Written {
    const char* text;
    const char* said;
  };
  for (const auto& [text, said] :
       {Written{"x,y\n1.5,20\n-2,NA\n", ""},
        {"x;y\n1,5;20\n-2;\n", "data.csv: read with semicolons between fields, decimal commas"},
        {"\xEF\xBB\xBFx;y\r\n\"1,5\";\"20\"\r\n-2;\r\n", "semicolons between fields, decimal commas"},
        {"x;y\n1.5;20\n-2;NA\n", "read with semicolons between fields"},
        {"x\ty\n1.5\t20\n-2\tN/A\n", "read with tabs between fields, 'N/A' for what is missing"},
        {"x\ty\n1,5\t20\n-2\tnull\n", "decimal commas, 'null' for what is missing"},
        {"x|y\n1.5|20\n-2|.\n", "bars between fields, '.' for what is missing"},
        {"\"x\",\"y\"\n\"1.5\",\"20\"\n\"-2\",\"None\"\n", "read with 'None' for what is missing"},
        {"x,y\n1.5,20\n-2,#N/A\n", "'#N/A' for what is missing"},
        {"day,x,note,y\n2020-01-01,1.5,none,20\n2020-01-02,-2,\"a;b\",NaN\n", ""},
        {"day;x;note;y\n01.02.2020;1,5;a,b;20\n02.02.2020;-2;1,2,3;-\n", nullptr}}) {
    SCOPED_TRACE(text);
    std::string heard;
    const Table table = parse(text, {.assumed = [&](const std::string& line) { heard += line; }});
    EXPECT_TRUE(near(table.numbers("x"), {1.5, -2}, 0));
    if (said == nullptr) continue;
    EXPECT_TRUE(near(table.numbers("y"), {20, kNan}, 0));
    EXPECT_NE(heard.find(said), std::string::npos) << heard;
    EXPECT_EQ(heard.empty(), *said == '\0') << heard;
  }
}

/// 1,234 between tabs is a thousand to some and one to others: it is no number until somebody says.
TEST(Csv, ThousandsAreNotGuessed) {
  expect_error([] { (void)parse("x\ty\n1,234\t1\n5,678\t2\n").numbers("x"); }, "found '1,234'");
  expect_error([] { (void)parse("x,y\n\"1,234\",1\n").numbers("x"); }, "found '1,234'");
  expect_error([] { (void)parse("x;y\n1.234,5;1\n").numbers("x"); }, "found '1.234,5'");
  expect_error([] { (void)parse("x;y\n1.5;1\n2,5;1\n").numbers("x"); }, "line 3: column 'x'");
  EXPECT_TRUE(near(parse("x\ty\n1,234\t1\n", {.decimal = ','}).numbers("x"), {1.234}, 0));
  EXPECT_TRUE(near(parse("x\ty\n1,234\t1\n0,5\t1\n").numbers("x"), {1.234, 0.5}, 0));
}

TEST(Csv, TheDecimalSignMayShowLate) {
  std::string text = "x;y\n";
  for (int row = 0; row < 500; ++row) text += "1;2\n";
  EXPECT_TRUE(near(parse(text + "1,5;2\n").numbers("x").slice(0, {.start = 500}), {1.5}, 0));
}

TEST(Csv, WhatIsInsistedOnIsNotFoundOut) {
  std::string heard;
  const auto listen = [&](const std::string& line) { heard += line; };
  const Table table =
      parse("x:y\n1,5:20\n-9:-9\n", {.separator = ':', .decimal = ',', .missing = {"-9"}, .assumed = listen});
  EXPECT_TRUE(near(table.numbers("x"), {1.5, kNan}, 0));
  EXPECT_EQ(heard, "");
  EXPECT_FALSE(parse("x,y\nNA,1\n", {.missing = {"-"}}).is_numeric("x"));
  EXPECT_EQ(parse("a;b,c\n1;2,3\n", {.separator = ','}).names(), (Texts{"a;b", "c"}));
  EXPECT_EQ(parse("1,5;2\n", {.decimal = ','}).columns(), 2);
  EXPECT_TRUE(near(parse("x\n1,5\n2\n", {.decimal = ','}).numbers("x"), {1.5, 2}, 0));
  const Folder folder;
  EXPECT_TRUE(
      near(load(folder.file("x.csv", "a:b\n1,5:2\n") + ":a", {.separator = ':', .decimal = ','}), {1.5}, 0));
  expect_errors(
      {{[] { parse("a\n", {.decimal = 'x'}); }, "the decimal sign must be '.' or ',', found 'x'"},
       {[] { parse("a\n", {.separator = ',', .decimal = ','}); }, "both separator and decimal sign"},
       {[] { parse("a\n", {.separator = '5'}); }, "the separator cannot be '5'"}});
}

/// Whatever is in its cells, a file of ours reads as it was.
TEST(Csv, WhatIsWrittenIsReadWithTheSameSeparator) {
  const Folder folder;
  Table table;
  table.add("a;b", Texts{"1;2", "3;4"});
  table.add("c|d", Texts{"1,5\t2", "x|y"});
  save_table(folder / "x.csv", table);
  const Table back = load_table(folder / "x.csv");
  EXPECT_EQ(back.names(), table.names());
  EXPECT_EQ(back.text("c|d"), table.text("c|d"));
  Table semicolons;
  semicolons.add("x;1", Texts{"1|2", "1;2"});
  semicolons.add("y", Texts{";", "3"});
  save_table(folder / "x.csv", semicolons);
  EXPECT_EQ(load_table(folder / "x.csv").names(), semicolons.names());
  EXPECT_EQ(load_table(folder / "x.csv").text("y"), semicolons.text("y"));
  save_table(folder / "x.csv", table, ';');
  EXPECT_EQ(load_table(folder / "x.csv").text("a;b"), table.text("a;b"));
  save(folder / "x.tsv", tensor({{1.5, 2}, {3, 4}}), {.format = FileFormat::kCsv, .separator = '\t'});
  EXPECT_EQ(file_bytes(folder / "x.tsv"), "1.5\t2\n3\t4\n");
}

TEST(Csv, TextAndNumbers) {
  const Table table = parse("name,age\nAda,36\n张三,NA\n");
  EXPECT_FALSE(table.is_numeric("name"));
  EXPECT_TRUE(table.is_numeric("age"));
  EXPECT_EQ(table.text("name"), (Texts{"Ada", "张三"}));
  EXPECT_EQ(table.cell(1, 0), "张三");
  expect_error([&] { (void)table.cell(2, 0); }, "no cell (2, 0) in 2 rows of 2 columns");
  EXPECT_TRUE(near(parse("x\ninf\n-inf\n1e308\n0.1\n").numbers("x"), {kInf, -kInf, 1e308, 0.1}, 0));
}

TEST(Csv, Errors) {
  expect_errors({
      {[] { parse(""); }, "data.csv: expected at least one row, found an empty file"},
      {[] { parse("\n\r\n"); }, "found an empty file"},
      {[] { parse("a,b\n1,2\n\n3\n"); }, "data.csv: line 4: expected 2 fields, as in the header, found 1"},
      {[] { parse("1,2\n3,4,5\n"); }, "line 2: expected 2 fields, as in the first row, found 3"},
      {[] { parse("a\n\"x\ny\n"); }, "line 2: a quoted field without its closing quote"},
      {[] { parse("a\nx\"y\n"); }, "line 2: a quote inside a field that does not start with one"},
      {[] { parse("a\n\"x\"y\n"); }, "line 2: expected ',' after a quoted field, found 'y'"},
      {[] { parse("a\nx\ry\n"); }, "line 2: a carriage return in the middle of a line"},
      {[] { parse("a,b,a\n"); }, "line 1: the column name 'a' appears twice"},
      {[] { parse(std::string("a\0b", 3)); }, "byte 1: a zero byte: not a text file, or one in UTF-16"},
      {[] { parse(std::string(70000, ',')); }, "line 1: more than 65536 fields"},
      {[] { parse("a\n1\n", {.separator = '"'}); }, "the separator cannot be"},
      {[] { (void)parse("a,b\n1,\"2\n\"\n3,four\x1b\n").numbers("b"); },
       "line 2: column 'b': expected a number or a missing value, found '2\\x0a'"},
      {[] { (void)parse("a,b\n1,2\n3,four\x1b\n").numbers(); },
       "line 3: column 'b': expected a number or a missing value, found 'four\\x1b'"},
      {[] { (void)parse("a\n1e999\n").numbers("a"); }, "found '1e999'"},
      {[] { (void)parse("waist,weight\n1,2\n").numbers("wiast"); },
       "no column 'wiast'; did you mean 'waist'? There are 'waist', 'weight'"},
  });
}

TEST(Csv, WritesTensors) {
  const Folder folder;
  save(folder / "x.csv", tensor({{1.5, kNan}, {-kInf, 0.1}}));
  EXPECT_EQ(file_bytes(folder / "x.csv"), "1.5,nan\n-inf,0.1\n");
  save(folder / "x.csv", tensor({true, false}));
  EXPECT_EQ(file_bytes(folder / "x.csv"), "1\n0\n");
  const Tensor x = random_normal({50, 3});
  save(folder / "x.csv", x.transpose(0, 1));
  EXPECT_TRUE(same_bits(load(folder / "x.csv"), x.transpose(0, 1).contiguous()));
  save_all(folder / "x.csv", {{"b", tensor({1, 2}, i64)}, {"a", tensor({0.5, 3})}});
  EXPECT_EQ(file_bytes(folder / "x.csv"), "a,b\n0.5,1\n3,2\n");
}

TEST(Csv, WritesTables) {
  const Folder folder;
  const Texts odd = {"plain", "", " space ", "a,b", "say \"hi\"", "two\nlines", "NA"};
  Table table;
  table.add("注意 \"x\"", odd);
  table.add("n", arange(7, f64));
  save_table(folder / "x.csv", table);
  const Table back = load_table(folder / "x.csv");
  EXPECT_EQ(back.names(), table.names());
  EXPECT_EQ(back.text("注意 \"x\""), odd);
  EXPECT_TRUE(same_bits(back.numbers("n"), arange(7, f64)));
  Table lone;
  lone.add("only", Texts{"", "x"});
  save_table(folder / "x.csv", lone);
  EXPECT_EQ(load_table(folder / "x.csv").text("only"), (Texts{"", "x"}));
  expect_errors({
      {[&] { table.add("n", ones({7})); }, "the column name 'n' appears twice"},
      {[&] { table.add("m", ones({8})); }, "column 'm': expected 7 rows, found 8"},
      {[&] {
         table.add("m", ones({7, 1}));
       },
       "column 'm': expected shape (rows,), found (7, 1)"},
      {[&] {
         save_all(folder / "x.csv", {{"1", ones({2})}});
       },
       "a header of numbers alone would be read as data"},
  });
}

}  // namespace
}  // namespace heed::test
