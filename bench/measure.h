// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Measures a case in short rounds with looks at the machine between them: probe, case, probe, case, ..., probe.
#pragma once

#include "cases/case.h"
#include "probes/probes.h"
#include "rounds.h"

#include <vector>

namespace heed::bench {

/// What Round::ratio is.
enum class Ratio : std::uint8_t {
  kNone,              ///< nothing: only the time is of interest
  kToPeak,            ///< FLOP/s over those of the register probe
  kToBandwidth,       ///< bytes a second over those of the read probe
  kClocksPer16Terms,  ///< clocks that all threads together had for 16 terms, a vector of f32
  kTime,              ///< seconds over those of Case::against
  kSpeedup,           ///< seconds of Case::against, the same work on fewer threads, over those of the case
};
Ratio ratio_of(const Case& measured);

/// How long to measure: until there are enough quiet rounds, or enough of any kind, or the time is over.
struct Effort {
  int quiet_rounds = 15;
  int rounds = 30;
  double seconds = 3;
};
inline constexpr Effort kQuickEffort{};
inline constexpr Effort kFullEffort{.quiet_rounds = 60, .rounds = 180, .seconds = 15};
/// Even when the time is over.
inline constexpr int kFewestRounds = 5;

/// A case made ready to run on as many threads as the probes.
class Measurement {
 public:
  Measurement(const Case& measured, Probes& probes);

  /// About 10 ms of the case, or one run if that takes longer, between two looks at the machine.
  Round round();
  /// By all looks so far; for cases with terms.
  double multiply_adds_per_clock() const { return per_clock_.value(); }

 private:
  /// What the machine can do now.
  struct Look {
    double registers = 0, tile = 0;  ///< FLOP/s
    double yardstick = 0;            ///< in the unit of the ratio; of clocks: multiply-adds of 16 a second
  };
  int against_threads() const;
  Look look();
  double yardstick();
  double ratio(double seconds, double yardstick) const;

  const Case& case_;
  Probes& probes_;
  Run run_, against_;
  int runs_ = 1, against_runs_ = 1, bursts_ = 1;
  Look before_;
  MultiplyAddsPerClock per_clock_;
};

/// The rounds of a case. When to stop depends on how quiet they were, never on what they say about the case.
std::vector<Round> measure(const Case& measured, Probes& probes, const Effort& effort);

/// Seconds of one run: the mean over `runs`, on `threads` threads.
double seconds_per_run(const Run& run, int threads, int runs);

/// How many runs fill `seconds`, at least 1. Warms up on the way.
int runs_filling(double seconds, const Run& run, int threads);

}  // namespace heed::bench
