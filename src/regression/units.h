// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Columns as the sums see them: f64, divided by a power of two, so that squares neither overflow nor vanish, and without an
// offset that is large beside their range. Neither step rounds a difference between points.
#pragma once

#include <heed/tensor.h>

#include <vector>

namespace heed::regression {

class Units {
 public:
  /// For the columns of x (n, D), which are finite.
  static Units of(const Tensor& x);

  /// Places, or values, in these units: f64.
  Tensor inward(const Tensor& rows) const;
  Tensor outward(const Tensor& rows, Dtype dtype) const;
  /// Differences, which know no offset; f64 both ways.
  Tensor differences_inward(const Tensor& rows) const;
  Tensor differences_outward(const Tensor& rows) const;
  /// Bandwidths, likewise. What is above zero stays there.
  Tensor lengths_inward(const Tensor& rows) const;
  Tensor lengths_outward(const Tensor& rows) const;
  /// Slopes of y in these units over x in x's.
  Tensor slopes_outward(const Tensor& rows, const Units& x) const;
  /// Squares of lengths, from these units.
  Tensor squares_outward(const Tensor& rows) const;

 private:
  std::vector<int> exponents_;
  std::vector<double> offsets_;  ///< in these units
};

}  // namespace heed::regression
