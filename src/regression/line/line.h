// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A regression with one x: the points in order, and what is asked of them in the order they came.
#pragma once

#include "regression/line/sums.h"

#include <heed/tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace heed::regression {

class Line {
 public:
  /// Points x (n, 1) with y (n, M), of f64, finite.
  Line(const Tensor& x, const Tensor& y);

  /// As in pooling.h, at a bandwidth h; infinite, all points weigh the same.
  Tensor means_at(double h, const Tensor& at) const;
  Tensor means_of_others(double h) const;
  Tensor variances_at(double h, const Tensor& squares, const Tensor& at) const;
  Tensor own_weights(double h) const;
  std::vector<double> squared_errors(double h) const;

  /// A local polynomial at the rows of `at` (m, 1): (m, M) each, and (m,).
  struct Polynomial {
    Tensor value, slope;
    Tensor noise;  ///< the variance of a single y around the curve, from neighbouring points within twice h
    Tensor shrinkage;        ///< the variance of value for a noise of 1: (m,)
    Tensor effective;        ///< how many points count: (m,)
    Tensor noise_effective;  ///< and for the noise
  };
  Polynomial polynomial(double h, int degree, const Tensor& at) const;

 private:
  LinePoints points_with(const Tensor& columns) const;

  std::vector<std::uint32_t> order_;
  std::vector<double> x_;  ///< in order
  std::int64_t outputs_;
  std::vector<double> y_, noise_;  ///< (n, M) in order
  std::unique_ptr<const LineSums> sums_;
};

}  // namespace heed::regression
