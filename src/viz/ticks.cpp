// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::viz {

std::int64_t index_step(std::int64_t length, std::int64_t most) {
  for (std::int64_t decade = 1;; decade *= 10) {
    for (const std::int64_t factor : {1, 2, 5}) {
      if ((length - 1) / (decade * factor) + 1 <= std::max<std::int64_t>(most, 1)) return decade * factor;
    }
  }
}

std::vector<double> ticks(const Interval& range, int most) {
  const double span = range.high - range.low;
  // A little beyond both ends counts as inside: 0.3 is not three times 0.1.
  const double slack = span * 1e-9;
  for (double decade = std::pow(10, std::floor(std::log10(span)) - 1);; decade *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double step = decade * factor;
      const double first = std::ceil((range.low - slack) / step),
                   last = std::floor((range.high + slack) / step);
      if (last - first + 1 > most) continue;
      std::vector<double> found;
      // Not step * n for a step below 1, which 1 / step divides more exactly.
      const double inverse = std::round(1 / step);
      for (double n = first; n <= last; ++n)
        found.push_back((step < 1 ? n / inverse : n * step) + 0.0);  // no -0
      return found;
    }
  }
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  double step = 0, largest = 0;
  for (std::size_t i = 1; i < ticks.size(); ++i) step = ticks[1] - ticks[0];
  for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
  std::vector<std::string> labels;
  labels.reserve(ticks.size());
  const int decimals =
      step > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 300) : 0;
  // Beyond these, digits say less than an exponent.
  const bool plain = step > 0 && decimals <= 5 && largest < 1e6;
  for (const double tick : ticks) {
    labels.push_back(plain ? fmt::format("{:.{}f}", tick, decimals) : fmt::format("{:.4g}", tick));
  }
  return labels;
}

}  // namespace heed::viz
