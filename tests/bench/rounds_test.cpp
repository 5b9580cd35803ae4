// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// From rounds to one figure, on made-up rounds.
#include "bench/rounds.h"

#include <gtest/gtest.h>

namespace {

using heed::bench::median;
using heed::bench::MultiplyAddsPerClock;
using heed::bench::Round;
using heed::bench::summarise;
using heed::bench::Summary;

Round quiet(double seconds, double ratio) { return {.seconds = seconds, .ratio = ratio, .quiet = 0.97}; }
Round disturbed(double seconds, double ratio) { return {.seconds = seconds, .ratio = ratio, .quiet = 0.5}; }

TEST(Rounds, MedianIsTheMiddle) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({9, 1, 2, 4}), 3);
}

TEST(Rounds, MultiplyAddsPerClockAreThoseOfACoreLeftAlone) {
  MultiplyAddsPerClock one;
  one.look(3.6e9, 3.7e9);
  one.look(3.6e9, 1.5e9);  // the processor was taken away while clocks were counted
  EXPECT_EQ(one.value(), 1);
  MultiplyAddsPerClock two;
  two.look(2.9e9, 2.8e9);  // a neighbour has half of the core, and additions do not tell
  two.look(5.4e9, 2.8e9);
  two.look(0.7e9, 1.1e9);
  EXPECT_EQ(two.value(), 2);
}

TEST(Rounds, OneWildRoundDoesNotMatter) {
  const std::vector<Round> rounds{quiet(1, 0.9), quiet(100, 0.009), quiet(1.1, 0.88)};
  EXPECT_EQ(summarise(rounds).seconds, 1.1);
  EXPECT_EQ(summarise(rounds).ratio, 0.88);
}

TEST(Rounds, DisturbedRoundsAreSetAsideAndCounted) {
  const std::vector<Round> rounds{quiet(1, 0.9), disturbed(2, 0.4), disturbed(3, 0.3), disturbed(4, 0.2),
                                  quiet(1.2, 0.8)};
  const Summary summary = summarise(rounds);
  EXPECT_EQ(summary.quiet, 2);
  EXPECT_EQ(summary.set_aside, 3);
  EXPECT_DOUBLE_EQ(summary.seconds, 1.1);
  EXPECT_DOUBLE_EQ(summary.ratio, 0.85);
  EXPECT_EQ(summary.ratio_all, 0.4);
  EXPECT_EQ(summary.tile, 0.97);
}

TEST(Rounds, TheLimitItselfIsQuiet) {
  const std::vector<Round> rounds{{.seconds = 1, .ratio = 1, .quiet = 0.93},
                                  {.seconds = 1, .ratio = 1, .quiet = 0.9299}};
  EXPECT_EQ(summarise(rounds).quiet, 1);
  EXPECT_EQ(summarise(rounds, 0.9).quiet, 2);
}

TEST(Rounds, WithoutAQuietRoundAllOfThemCount) {
  const std::vector<Round> rounds{disturbed(1, 0.6), disturbed(2, 0.3), disturbed(3, 0.2)};
  const Summary summary = summarise(rounds);
  EXPECT_EQ(summary.quiet, 0);
  EXPECT_EQ(summary.set_aside, 3);
  EXPECT_EQ(summary.seconds, 2);
  EXPECT_EQ(summary.ratio, 0.3);
  EXPECT_EQ(summary.ratio_all, 0.3);
  EXPECT_EQ(summary.tile, 0.5);
}

TEST(Rounds, PreemptedRoundsAreCountedAmongThoseUsed) {
  std::vector<Round> rounds{quiet(1, 1), quiet(1, 1), disturbed(1, 1), disturbed(1, 1)};
  rounds[0].preempted = rounds[2].preempted = rounds[3].preempted = true;
  EXPECT_EQ(summarise(rounds).preempted, 1);
  EXPECT_EQ(summarise(std::span(rounds).last(2)).preempted, 2);
}

TEST(Rounds, OfNothingComesNothing) {
  const Summary summary = summarise({});
  EXPECT_EQ(summary.quiet + summary.set_aside, 0);
  EXPECT_EQ(summary.seconds, 0);
}

}  // namespace
