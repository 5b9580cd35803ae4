// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/search_range.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::regression {
namespace {

constexpr double kMostSteps = 25, kLongestStep = std::numbers::ln2;

}  // namespace

Interval search_range(const Column& column) {
  const double low = std::log(column.gap / 8), high = std::log(4 * column.range);
  // The more points, the wider the range and the smoother the error.
  const double step = std::max(std::numbers::ln2 / 2, (high - low) / kMostSteps);
  return {.low = low, .high = high, .step = std::min(step, kLongestStep), .tolerance = 0.005};
}

}  // namespace heed::regression
