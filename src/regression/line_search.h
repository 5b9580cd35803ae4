// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The least value of a function of one number, which need not be smooth nor have one valley.
#pragma once

#include <cstdint>
#include <functional>

namespace heed::regression {

struct Interval {
  double low = 0;
  double high = 0;
  double step = 0;       ///< of the grid, at most
  double tolerance = 0;  ///< how near to the least place to come
};

struct Least {
  double place = 0;
  double value = 0;
};

/// The best places of a grid, then golden section between their neighbours; of equal values the one of the larger place. f is
/// to throw rather than give NaN, which no comparison would notice.
Least least_of(const std::function<double(double)>& f, const Interval& interval);

/// How many times least_of calls f, at most.
std::int64_t most_calls(const Interval& interval);

}  // namespace heed::regression
