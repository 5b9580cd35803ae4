// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/points.h"

#include <algorithm>
#include <cmath>

namespace heed::regression {

LinePoints::LinePoints(std::vector<double> places, std::vector<double> rows)
    : x(std::move(places)), values(std::move(rows)), depth(x.size()) {
  channels = static_cast<int>(values.size() / x.size());
  for (int c = 0; c < channels; ++c) {
    double total = 0;
    for (std::int64_t i = 0; i < size(); ++i) total += std::abs(value(c, i));
    totals.push_back(total);
    // Nothing but zeros needs no bound.
    if (total == 0) continue;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double share = std::log(total / std::abs(value(c, static_cast<std::int64_t>(i))));
      depth[i] = std::max(depth[i], std::nextafter(static_cast<float>(share), HUGE_VALF));
    }
  }
}

}  // namespace heed::regression
