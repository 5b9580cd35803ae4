// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "rounds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace heed::bench {
namespace {

template <class Wanted>
std::vector<double> collect(std::span<const Round> rounds, double Round::*field, Wanted wanted) {
  std::vector<double> values;
  for (const Round& round : rounds) {
    if (wanted(round)) values.push_back(round.*field);
  }
  return values;
}

}  // namespace

void MultiplyAddsPerClock::look(double multiply_adds, double clocks) {
  multiply_adds_ = std::max(multiply_adds_, multiply_adds);
  clocks_ = std::max(clocks_, clocks);
}

double MultiplyAddsPerClock::value() const {
  return std::exp2(std::round(std::log2(multiply_adds_ / clocks_)));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Summary summarise(std::span<const Round> rounds, double quiet_limit) {
  const auto all = [](const Round&) { return true; };
  const auto quiet = [&](const Round& round) { return round.quiet >= quiet_limit; };
  Summary summary;
  summary.quiet = static_cast<int>(std::ranges::count_if(rounds, quiet));
  summary.set_aside = static_cast<int>(rounds.size()) - summary.quiet;
  const auto used = [&](const Round& round) { return summary.quiet == 0 || quiet(round); };
  summary.seconds = median(collect(rounds, &Round::seconds, used));
  summary.ratio = median(collect(rounds, &Round::ratio, used));
  summary.ratio_all = median(collect(rounds, &Round::ratio, all));
  summary.tile = median(collect(rounds, &Round::quiet, used));
  summary.preempted = static_cast<int>(
      std::ranges::count_if(rounds, [&](const Round& round) { return used(round) && round.preempted; }));
  return summary;
}

}  // namespace heed::bench
