// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Weighted means of values under the kernel. With one x from the sums of a line; with several by attend() for most rows, and row
// by row from differences between points where scores are too large to keep the digits of their differences.
#pragma once

#include "regression/data.h"
#include "regression/line/line.h"

#include <memory>

namespace heed::regression {

/// Points in their Units.
struct Sample {
  Data data;
  std::shared_ptr<const Line> line;  ///< the same, with one x; else null

  explicit Sample(const Data& points);
};

// What follows takes bandwidths (D,) in the same units.

/// Means of the y at the rows of `at` (m, D): (m, M). NaN where a row is not finite.
Tensor means_at(const Sample& sample, const Tensor& bandwidth, const Tensor& at);

/// The same at every point, from all others: (n, M). Needs 2 points.
Tensor means_of_others(const Sample& sample, const Tensor& bandwidth);
/// The mean squared difference of those and y, of each of the M.
std::vector<double> squared_errors(const Sample& sample, const Tensor& bandwidth);

/// sum_i p_i^2 squares_i at the rows of `at`, for squares (n, M): (m, M).
Tensor variances_at(const Sample& sample, const Tensor& bandwidth, const Tensor& squares, const Tensor& at);

/// The weight of each point in the mean at its own place: (n,).
Tensor own_weights(const Sample& sample, const Tensor& bandwidth);

}  // namespace heed::regression
