// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The table of cases: names, what is counted, and that what is measured runs at all.
#include "bench/measure.h"
#include "bench/select.h"
#include "bench/serve.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace {

using namespace heed::bench;

std::set<std::string> names(const std::string& only, Length length) {
  std::set<std::string> result;
  for (const Case* chosen : select(only, length)) result.insert(chosen->name);
  return result;
}

TEST(Cases, HaveNamesOfTheirOwnWithoutSpaces) {
  std::set<std::string> seen;
  for (const Case& c : all_cases()) {
    EXPECT_TRUE(seen.insert(c.name).second) << c.name;
    EXPECT_EQ(c.name.find(' '), std::string::npos) << c.name;
    EXPECT_EQ(find_case(c.name), &c);
  }
  EXPECT_EQ(find_case("nothing"), nullptr);
}

TEST(Cases, AreSelectedByPatternAndLength) {
  EXPECT_EQ(names("gaussian", Length::kQuick), std::set<std::string>{"gaussian_n8192"});
  EXPECT_EQ(names("gaussian", Length::kFull), std::set<std::string>{"gaussian_n30000"});
  EXPECT_EQ(names("^causal.*n512$", Length::kQuick), std::set<std::string>{"causal_d64_n512"});
}

TEST(Cases, ForTestsAreSelectedByNameOnly) {
  EXPECT_EQ(names("tiny", Length::kQuick), std::set<std::string>{"tiny"});
  EXPECT_FALSE(names("", Length::kQuick).contains("tiny"));
  EXPECT_FALSE(names(".+", Length::kFull).contains("tiny"));
}

TEST(Cases, CountWhatIsNeeded) {
  // Two products of n x n x d for each of 8 heads, two operations each; below the diagonal about half of it.
  const double dense = find_case("forward_d64_n512")->work.amount;
  EXPECT_EQ(dense, 4.0 * 512 * 512 * 64 * 8);
  EXPECT_EQ(find_case("causal_d64_n512")->work.amount, 4.0 * 512 * 513 / 2 * 64 * 8);
  EXPECT_EQ(find_case("backward_d64_n512")->work.amount, 10.0 * 512 * 512 * 64 * 8);
  EXPECT_EQ(find_case("additive_h64_n512")->work.amount, 4.0 * 512 * 512 * 64);
}

TEST(Cases, OneThreadAgainstOneThreadIsNotMeasured) {
  const Case* speedup = find_case("forward_one_head_n4096_speedup");
  ASSERT_NE(speedup, nullptr);
  EXPECT_FALSE(worth_measuring(*speedup, 1));
  EXPECT_TRUE(worth_measuring(*speedup, 2));
}

TEST(Cases, AreMeasuredInRounds) {
  Probes probes(1);
  const std::vector<Round> rounds =
      measure(*find_case("tiny"), probes, {.quiet_rounds = 3, .rounds = 3, .seconds = 60});
  ASSERT_EQ(rounds.size(), 3u);
  for (const Round& round : rounds) {
    EXPECT_GT(round.seconds, 0);
    EXPECT_GT(round.quiet, 0);
    EXPECT_EQ(round.ratio, 0);
  }
}

TEST(Cases, AreServed) {
  std::istringstream requests("tiny 1 0.001\nnothing 1 1\ntiny 0 1\ntiny\n");
  std::ostringstream answers;
  serve(requests, answers);
  std::istringstream lines(answers.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_GT(std::stod(line), 0);
  for (const char* error : {"error: there is no case 'nothing'", "error: expected NAME THREADS SECONDS",
                            "error: expected NAME THREADS SECONDS"}) {
    std::getline(lines, line);
    EXPECT_EQ(line, error);
  }
}

}  // namespace
