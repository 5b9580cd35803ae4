// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed bench: its table, its JSON and its errors. Times are nobody's business here.
#include "cli/heed_command.h"

#include <nlohmann/json.hpp>

namespace {

using namespace heed::test;

/// The smallest case there is, which only its own name selects.
constexpr const char* kTiny = "bench --quick --threads 1 --only tiny";

TEST(BenchCommand, PrintsATable) {
  const Result r = heed_command(kTiny);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "threads")) << r.out;
  EXPECT_TRUE(has(r.out, "\ntiny ")) << r.out;
  EXPECT_EQ(lines(r.out), 4) << r.out;
}

TEST(BenchCommand, WritesJson) {
  const std::string path = scratch_file(".json");
  const Result r = heed_command(std::string(kTiny) + " --json '" + path + "'");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto json = nlohmann::json::parse(contents(path));
  for (const char* key : {"cpu", "tier", "threads"}) EXPECT_TRUE(json.at("machine").contains(key)) << key;
  for (const char* key : {"version", "commit"}) EXPECT_TRUE(json.at("heed").contains(key)) << key;
  ASSERT_EQ(json.at("rows").size(), 1u);
  const auto& row = json.at("rows")[0];
  for (const char* key : {"name", "score", "shape", "dtype", "threads", "seconds", "ratio_to_peak",
                          "preempted_rounds", "quiet_rounds", "set_aside", "tile_probe"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_EQ(row.at("name"), "tiny");
  EXPECT_EQ(row.at("dtype"), "f32");
  EXPECT_GT(row.at("seconds"), 0);
}

TEST(BenchCommand, RefusesWhatIsNoRegularExpression) { expect_wrong_usage("bench --only '('", "--only"); }
TEST(BenchCommand, RefusesANameThatNothingMatches) {
  expect_wrong_usage("bench --only nothing", "no case matches");
}
TEST(BenchCommand, RefusesToBeQuickAndFull) { expect_wrong_usage("bench --quick --full", "--full"); }
TEST(BenchCommand, RefusesZeroThreads) { expect_wrong_usage("bench --threads 0", "--threads"); }
TEST(BenchCommand, RefusesAnUnknownOption) { expect_wrong_usage("bench --nope", "--nope"); }

TEST(BenchCommand, SaysAtOnceThatAFileCannotBeWritten) {
  const Result r = heed_command(std::string(kTiny) + " --json /nowhere/bench.json");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err.rfind("heed: cannot write /nowhere/bench.json", 0), 0u) << r.err;
}

}  // namespace
