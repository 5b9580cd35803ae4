// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed doctor: what it knows, and what it finds wrong.
#include "cli/heed_command.h"

#include <heed/runtime.h>
#include <heed/version.h>

#include <nlohmann/json.hpp>

namespace {

using namespace heed::test;

TEST(DoctorCommand, KnowsMachineAndBuild) {
  const Result r = heed_command("doctor --json");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json.at("heed").at("version"), heed::version());
  for (const char* fact : {"compiler", "build type", "flags"})
    EXPECT_TRUE(json.at("heed").contains(fact)) << fact;
  EXPECT_EQ(json.at("processor").at("in use"), heed::simd_tiers().front());
  for (const char* section : {"memory", "BLAS", "GPU", "libraries", "pictures"}) {
    EXPECT_FALSE(json.at(section).empty()) << section;
  }
  EXPECT_TRUE(json.at("problems").is_array());
}

TEST(DoctorCommand, PrintsTheSameForPeople) {
  const Result r = heed_command("doctor");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  for (const char* part : {"heed\n", "  compiler", "BLAS\n", "problems"})
    EXPECT_TRUE(has(r.out, part)) << r.out;
}

TEST(DoctorCommand, FindsProblems) {
  const Result slow = heed_command("doctor", "HEED_SIMD=baseline");
  EXPECT_EQ(has(slow.out, "HEED_SIMD=baseline keeps attention"), heed::simd_tiers().size() > 1) << slow.out;
  const Result wrong = heed_command("doctor", "HEED_SIMD=foo");
  EXPECT_EQ(wrong.code, 0) << wrong.err;
  EXPECT_TRUE(has(wrong.out, "no tier 'foo' on this CPU; there are ")) << wrong.out;
  EXPECT_TRUE(has(wrong.out, "unset HEED_SIMD")) << wrong.out;
  const Result crowded = heed_command("doctor", "OMP_NUM_THREADS=999");
  EXPECT_TRUE(has(crowded.out, "999 threads share")) << crowded.out;
  const Result bare = heed_command("doctor", "PATH=/nowhere");
  EXPECT_TRUE(has(bare.out, "Without gnuplot there are no picture files")) << bare.out;
  EXPECT_TRUE(has(bare.out, "No font shows Chinese")) << bare.out;
  EXPECT_EQ(bare.err, "");
}

TEST(ExplainCommand, JsonHoldsWhatTheTextSays) {
  const Result r = heed_command("explain --json --shape 2,3,512,64 --causal top-left");
  ASSERT_EQ(r.code, 0) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json.at("kernel"), "tiles");
  EXPECT_EQ(json.at("pairs"), 512 * 513 / 2 * 6);
  EXPECT_TRUE(has(heed_command("explain --shape 2,3,512,64 --causal top-left").out, "tiles"));
}

/// Little memory, and nothing that counts to ten thousand million.
TEST(ExplainCommand, LongSequencesCostNothing) {
  for (const char* options : {"", " --causal top-left", " --mask --bias", " --score gaussian",
                              " --score additive --dtype f64", " --kv-heads 1 --causal bottom-right"}) {
    const Result r = heed_command(std::string("explain --json --shape 1,1,10000000000,64") + options,
                                  "ulimit -v 600000; timeout 5");
    ASSERT_EQ(r.code, 0) << options << r.err;
    const auto json = nlohmann::json::parse(r.out);
    const double pairs = json.at("pairs"), n = 1e10,
                 expected = has(options, "causal") ? n * (n + 1) / 2 : n * n;
    EXPECT_DOUBLE_EQ(pairs, expected) << options;
    for (const char* count : {"forward_flop", "backward_flop", "forward_tasks", "backward_tasks"}) {
      EXPECT_GT(json.at(count), 0) << options << count;
    }
  }
}

TEST(ExplainCommand, NamesAWrongShape) {
  expect_wrong_usage("explain --shape 4,-1,512,64", "--shape: '-1' is not a whole number of at least 0");
  expect_wrong_usage("explain --shape 4,x", "--shape: 'x' is not a whole number of at least 0");
  expect_wrong_usage("explain --shape 4,4,8,8 --kv-heads 0",
                     "--kv-heads: '0' is not a whole number of at least 1");
  expect_wrong_usage("explain --shape 4", "--shape: give 2 to 4 sizes");
}

}  // namespace
