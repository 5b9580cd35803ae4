// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Points on a line in their order, with channels of values: weights first, then what is to be averaged times the weights.
#pragma once

#include "kernels/line.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heed::regression {

struct LinePoints {
  std::vector<double> x;       ///< ascending
  std::vector<double> values;  ///< (channels, n)
  int channels = 0;
  /// Of each point: how small a share it has of a channel's total, as max over channels of log(sum |value| / |value_i|). A
  /// point that is near bounds from below what sums near a place come to.
  std::vector<float> depth;
  std::vector<double> totals;  ///< sum |value| of each channel

  /// x ascending; values (channels, n), the first channel above 0.
  LinePoints(std::vector<double> x, std::vector<double> values);

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(x.size()); }
  const double* channel(int c) const noexcept { return values.data() + c * size(); }
  double value(int c, std::int64_t i) const noexcept {
    return values[static_cast<std::size_t>(c * size() + i)];
  }
  /// Points [begin, end) as kernels take them.
  kernels::LinePoints part(std::int64_t begin, std::int64_t end) const noexcept {
    return {x.data() + begin, values.data() + begin, end - begin, size(), channels};
  }
};

}  // namespace heed::regression
