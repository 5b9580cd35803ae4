// Weighted means of values under the kernel: attend() for most rows, and row by row from differences between points where
// scores are too large to keep the digits of their differences.
#pragma once

#include "regression/data.h"

namespace heed::regression {

/// Points in their Units, with bandwidths (D,) in the same.
struct Sample {
  Data data;
  Tensor bandwidth;
};

/// Means of the y at the rows of `at` (m, D): (m, M). NaN where a row is not finite.
Tensor means_at(const Sample& sample, const Tensor& at);

/// The same at every point, from all others: (n, M). Needs 2 points.
Tensor means_of_others(const Sample& sample);

/// sum_i p_i^2 squares_i at the rows of `at`, for squares (n, M): (m, M).
Tensor variances_at(const Sample& sample, const Tensor& squares, const Tensor& at);

/// The weight of each point in the mean at its own place: (n,).
Tensor own_weights(const Sample& sample);

}  // namespace heed::regression
