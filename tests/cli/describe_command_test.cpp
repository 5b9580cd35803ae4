// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed describe: what it says of tables and of tensors.
#include "cli/heed_command.h"
#include "support/files.h"

#include <heed/heed.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace {

using namespace heed::test;

TEST(DescribeCommand, SaysWhatColumnsHold) {
  const Folder folder;
  const std::string file =
      folder.file("people.csv", "day;waist;weight;none\n1 May;51,5;40;\n2 May;56;N/A;\n3 May;58,5;48;\n");
  const Result r = heed_command("describe '" + file + "'");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "heed: note: " + file +
                       ": read with semicolons between fields, decimal commas, 'N/A' for what is missing\n");
  EXPECT_TRUE(has(r.out, "people.csv: CSV, 3 rows, 4 columns\n")) << r.out;
  EXPECT_EQ(heed_command("describe --quiet '" + file + "'").err, "");
  const auto json = nlohmann::json::parse(heed_command("describe --json --quiet '" + file + "'").out);
  ASSERT_EQ(json.at("columns").size(), 4u);
  const auto& day = json["columns"][0];
  EXPECT_EQ(day.at("kind"), "text");
  EXPECT_EQ(day.at("first"), "1 May");
  const auto& weight = json["columns"][2];
  EXPECT_EQ(weight.at("missing"), 1);
  EXPECT_EQ(weight.at("min"), 40);
  EXPECT_EQ(weight.at("mean"), 44);
  EXPECT_EQ(weight.at("max"), 48);
  EXPECT_EQ(json["columns"][3].at("kind"), "empty");
}

TEST(DescribeCommand, SaysWhatTensorsThereAre) {
  const Folder folder;
  heed::save_all(folder / "x.npz",
                 {{"a", heed::tensor({{1, 2}, {3, std::nan("")}})}, {"b", heed::ones({0}, heed::i64)}});
  const auto json = nlohmann::json::parse(heed_command("describe --json '" + folder / "x.npz" + "'").out);
  EXPECT_EQ(json.at("format"), ".npz");
  const auto& a = json.at("tensors")[0];
  EXPECT_EQ(a.at("shape"), "(2, 2)");
  EXPECT_EQ(a.at("missing"), 1);
  EXPECT_EQ(a.at("mean"), 2);
  EXPECT_TRUE(json["tensors"][1].at("min").is_null());
  heed::save(folder / "x.npy", heed::ones({3}));
  EXPECT_TRUE(has(heed_command("describe '" + folder / "x.npy" + "'").out, "x.npy: .npy, 1 tensor\n"));
  EXPECT_TRUE(has(heed_command("describe - </dev/null").err, "expected at least one row"));
  EXPECT_EQ(heed_command("describe /none.csv").code, 1);
}

TEST(DescribeCommand, NamesAndTextCannotDriveATerminal) {
  const Folder folder;
  const std::string file = folder.file("x.csv", "\"a\x1b[2J\",b\n\"t\x1b]0;x\x07\",\xff\n");
  for (const char* json : {"", "--json "}) {
    const Result r = heed_command("describe " + std::string(json) + "'" + file + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_FALSE(has(r.out, "\x1b") || has(r.out, "\x07") || has(r.out, "\xff")) << r.out;
  }
}

}  // namespace
