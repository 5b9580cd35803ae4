// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The weights of all points at one place, from differences between points. However far the place, two points differ in
// weight by the difference of their squared distances, (a - b)(a + b - 2 place): the distances themselves would round it away.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::regression {

class DistantWeights {
 public:
  static constexpr std::int64_t kNobody = -1;

  /// Points x (n, D), row by row, and bandwidths (D,); both must outlive this.
  DistantWeights(std::span<const double> x, std::span<const double> bandwidth);

  /// Weights that sum to 1, valid until the next call. The point `without` has none.
  const std::vector<double>& at(std::span<const double> place, std::int64_t without = kNobody);

 private:
  std::span<const double> x_, bandwidth_;
  std::vector<long double> away_;  ///< from the place to the nearest point, in bandwidths
  std::vector<long double> excess_;
  std::vector<double> weights_;
};

}  // namespace heed::regression
