// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/distant.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::regression {

DistantWeights::DistantWeights(std::span<const double> x, std::span<const double> bandwidth)
    : x_(x),
      bandwidth_(bandwidth),
      away_(bandwidth.size()),
      excess_(x.size() / bandwidth.size()),
      weights_(excess_.size()) {}

const std::vector<double>& DistantWeights::at(std::span<const double> place, std::int64_t without) {
  const std::size_t D = bandwidth_.size(), n = excess_.size();
  const std::size_t left_out = without == kNobody ? n : static_cast<std::size_t>(without);
  // long double: squares of what fits in double cannot overflow, and points that are equally far stay so.
  const auto squared_distance = [&](std::size_t i) {
    long double sum = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const long double u = (static_cast<long double>(place[d]) - x_[i * D + d]) / bandwidth_[d];
      sum += u * u;
    }
    return sum;
  };
  std::size_t origin = n;
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    if (i == left_out) continue;
    const long double distance = squared_distance(i);
    if (origin == n || distance < least) {
      origin = i;
      least = distance;
    }
  }
  for (std::size_t d = 0; d < D; ++d) away_[d] = static_cast<long double>(place[d]) - x_[origin * D + d];

  // The origin may not be the nearest, where distances round to the same: the least excess tells.
  long double smallest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    long double sum = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const long double step = static_cast<long double>(x_[i * D + d]) - x_[origin * D + d];
      sum += (step / bandwidth_[d]) * ((step - 2 * away_[d]) / bandwidth_[d]);
    }
    excess_[i] = sum / 2;
    if (i != left_out) smallest = std::min(smallest, excess_[i]);
  }
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    weights_[i] = i == left_out ? 0 : std::exp(static_cast<double>(smallest - excess_[i]));
    total += weights_[i];
  }
  for (double& w : weights_) w /= total;
  return weights_;
}

}  // namespace heed::regression
