// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace heed::regression {
namespace {

constexpr double kGolden = 1 / std::numbers::phi;
/// Valleys of the grid that are searched, and by which share of it they may lie above the best.
constexpr int kMostValleys = 3;
constexpr double kWorthALook = 0.05;

int grid_steps(const Interval& interval) {
  return std::max(1, static_cast<int>(std::ceil((interval.high - interval.low) / interval.step)));
}

/// After so many, two steps of the grid have shrunk to the tolerance.
int golden_steps(const Interval& interval) {
  const double width = 2 * (interval.high - interval.low) / grid_steps(interval);
  return width <= interval.tolerance
             ? 0
             : static_cast<int>(std::ceil(std::log(interval.tolerance / width) / std::log(kGolden)));
}

}  // namespace

std::int64_t most_calls(const Interval& interval) {
  return grid_steps(interval) + 1 + kMostValleys * (golden_steps(interval) + 2);
}

Least least_of(const std::function<double(double)>& f, const Interval& interval) {
  Least best{interval.low, std::numeric_limits<double>::infinity()};
  const auto value_at = [&](double place) {
    const double value = f(place);
    if (value < best.value || (value == best.value && place > best.place)) best = {place, value};
    return value;
  };
  const int steps = grid_steps(interval);
  const double step = (interval.high - interval.low) / steps;
  std::vector<Least> grid;
  for (int i = 0; i <= steps; ++i) {
    const double place = i == steps ? interval.high : interval.low + i * step;
    grid.push_back({place, value_at(place)});
  }
  const int rounds = golden_steps(interval);
  if (rounds == 0) return best;

  std::vector<Least> valleys;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const bool falls = i == 0 || grid[i].value < grid[i - 1].value;
    const bool rises = i + 1 == grid.size() || grid[i].value <= grid[i + 1].value;
    if (falls && rises) valleys.push_back(grid[i]);
  }
  // A plateau has no valley of its own.
  if (valleys.empty()) valleys.push_back(best);
  std::ranges::stable_sort(valleys, {}, &Least::value);
  valleys.resize(std::min<std::size_t>(valleys.size(), kMostValleys));
  for (const Least& valley : valleys) {
    // How much deeper a valley is than the grid saw is a small part of how deep it is.
    if (valley.value - best.value > kWorthALook * std::abs(best.value)) break;
    double low = std::max(interval.low, valley.place - step),
           high = std::min(interval.high, valley.place + step);
    double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    double at_left = value_at(left), at_right = value_at(right);
    for (int round = 0; round < rounds; ++round) {
      if (at_left < at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - kGolden * (high - low);
        at_left = value_at(left);
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + kGolden * (high - low);
        at_right = value_at(right);
      }
    }
  }
  return best;
}

}  // namespace heed::regression
