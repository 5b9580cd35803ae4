// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sums of Gaussians over points on a line, at many places, in near-linear time and with a bounded relative error whatever the
// data: docs/lab/regression.md proves it.
//
// Places are gathered in cells. Where many fall into one, the points around it are summed once, through the moments of their own
// cells, at a few nodes, and places interpolate; elsewhere each is summed by itself.
#pragma once

#include "regression/line/single_place.h"

#include <cstdint>
#include <span>

namespace heed::regression {

/// Of a sum at a place q with the nearest point d bandwidths away: sum_i value_i K(u_i), divided by K(d), or by whatever is at
/// hand but the same for all channels.
enum class Scale { kNearest, kAny };

/// Which points count at a place.
enum class Counted { kAll, kOthers };

class LineSums {
 public:
  explicit LineSums(LinePoints points);

  const LinePoints& points() const noexcept { return points_; }

  /// Sums (channels, m) at ascending places, which are finite; h is a normal number. With kOthers they are the points themselves, of which there are
  /// at least two, and each leaves itself out.
  std::vector<double> at(std::span<const double> places, double h, Counted counted, Scale scale) const;

  /// Terms of sums that calls have evaluated.
  std::int64_t terms() const noexcept { return terms_; }

 private:
  LinePoints points_;
  SinglePlace::Tree tree_;
  mutable std::atomic<std::int64_t> terms_{0};
};

}  // namespace heed::regression
