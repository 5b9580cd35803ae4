// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "measure.h"

#include "probes/clock.h"

#include <heed/runtime.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

namespace heed::bench {
namespace {

constexpr double kRoundSeconds = 10e-3;
/// Long cases get longer looks: half a millisecond says little about the two hundred after it.
constexpr int kMostBursts = 8;
constexpr double kFlopsOf16 = 2 * 16;

/// How often the system has taken a processor from this process, all threads counted.
long involuntary_switches() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/// What a probe reads over several bursts: equal work in each, so the mean is harmonic.
template <class Probe>
double over_bursts(int bursts, Probe probe) {
  double seconds = 0;
  for (int i = 0; i < bursts; ++i) seconds += 1 / probe();
  return bursts / seconds;
}

}  // namespace

Ratio ratio_of(const Case& measured) {
  if (measured.against) return measured.against->threads > 0 ? Ratio::kSpeedup : Ratio::kTime;
  switch (measured.work.unit) {
    case Work::Unit::kFlops: return Ratio::kToPeak;
    case Work::Unit::kBytes: return Ratio::kToBandwidth;
    case Work::Unit::kTerms: return Ratio::kClocksPer16Terms;
    case Work::Unit::kCalls: break;
  }
  return Ratio::kNone;
}

double seconds_per_run(const Run& run, int threads, int runs) {
  set_num_threads(threads);
  const double start = now();
  for (int i = 0; i < runs; ++i) run();
  return (now() - start) / runs;
}

int runs_filling(double seconds, const Run& run, int threads) {
  seconds_per_run(run, threads, 1);  // the first run allocates, and wakes threads
  double one = seconds_per_run(run, threads, 1);
  // A single short run is mostly surprise: look again at a tenth of the time.
  if (one < seconds / 10)
    one = seconds_per_run(run, threads, static_cast<int>(std::min(seconds / 10 / one, 1e6)) + 1);
  return static_cast<int>(std::clamp(std::round(seconds / one), 1.0, 1e6));
}

Measurement::Measurement(const Case& measured, Probes& probes)
    : case_(measured), probes_(probes), run_(measured.prepare()) {
  runs_ = runs_filling(kRoundSeconds, run_, probes.threads());
  if (case_.against) {
    against_ = case_.against->prepare();
    against_runs_ = runs_filling(kRoundSeconds, against_, against_threads());
  }
  const double seconds = runs_ * seconds_per_run(run_, probes.threads(), runs_);
  bursts_ = std::clamp(static_cast<int>(seconds / kRoundSeconds), 1, kMostBursts);
  look();  // the first ones measure the probes
  before_ = look();
}

int Measurement::against_threads() const {
  return case_.against->threads > 0 ? case_.against->threads : probes_.threads();
}

Measurement::Look Measurement::look() {
  Look result;
  // First, while the clock is still the one the case ran at.
  result.yardstick = yardstick();
  result.registers = over_bursts(bursts_, [this] { return probes_.register_flops(case_.dtype); });
  result.tile = over_bursts(bursts_, [this] { return probes_.tile_flops(case_.dtype); });
  if (ratio_of(case_) == Ratio::kToPeak) result.yardstick = result.registers;
  if (ratio_of(case_) == Ratio::kClocksPer16Terms) {
    const double clock = result.yardstick;
    result.yardstick = result.registers / kFlopsOf16;
    per_clock_.look(result.yardstick, clock);
  }
  return result;
}

double Measurement::yardstick() {
  switch (ratio_of(case_)) {
    case Ratio::kToBandwidth: return over_bursts(bursts_, [this] { return probes_.read_bandwidth(); });
    case Ratio::kClocksPer16Terms: return over_bursts(bursts_, [this] { return probes_.clock_rate(); });
    case Ratio::kTime:
    case Ratio::kSpeedup: return seconds_per_run(against_, against_threads(), against_runs_);
    case Ratio::kToPeak:
    case Ratio::kNone: break;
  }
  return 0;
}

double Measurement::ratio(double seconds, double yardstick) const {
  switch (ratio_of(case_)) {
    case Ratio::kToPeak:
    case Ratio::kToBandwidth: return case_.work.amount / seconds / yardstick;
    case Ratio::kClocksPer16Terms: return seconds * yardstick / (case_.work.amount / 16);
    case Ratio::kTime: return seconds / yardstick;
    case Ratio::kSpeedup: return yardstick / seconds;
    case Ratio::kNone: break;
  }
  return 0;
}

Round Measurement::round() {
  Round result;
  const long switches = involuntary_switches();
  result.seconds = seconds_per_run(run_, probes_.threads(), runs_);
  result.preempted = involuntary_switches() != switches;
  const Look after = look();
  result.ratio = ratio(result.seconds, (before_.yardstick + after.yardstick) / 2);
  result.quiet = std::min(before_.tile / before_.registers, after.tile / after.registers);
  before_ = after;
  return result;
}

std::vector<Round> measure(const Case& measured, Probes& probes, const Effort& effort) {
  Measurement measurement(measured, probes);
  std::vector<Round> rounds;
  int quiet = 0;
  const double end = now() + effort.seconds;
  const auto enough = [&] {
    const int count = static_cast<int>(rounds.size());
    return quiet >= effort.quiet_rounds || count >= effort.rounds || (count >= kFewestRounds && now() >= end);
  };
  while (!enough()) {
    rounds.push_back(measurement.round());
    if (rounds.back().quiet >= kQuietLimit) ++quiet;
  }
  if (ratio_of(measured) == Ratio::kClocksPer16Terms) {
    for (Round& round : rounds) round.ratio /= measurement.multiply_adds_per_clock();
  }
  return rounds;
}

}  // namespace heed::bench
