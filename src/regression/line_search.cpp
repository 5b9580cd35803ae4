#include "regression/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heed::regression {
namespace {

constexpr double kGolden = 1 / std::numbers::phi;

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
  return grid_steps(interval) + 1 + golden_steps(interval) + 2;
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
  for (int i = 0; i <= steps; ++i) value_at(i == steps ? interval.high : interval.low + i * step);

  double low = std::max(interval.low, best.place - step), high = std::min(interval.high, best.place + step);
  const int rounds = golden_steps(interval);
  if (rounds == 0) return best;
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
  return best;
}

}  // namespace heed::regression
