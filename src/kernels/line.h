// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sums of Gaussians over sorted points on a line: the inner loops of regression with one x. Lengths are in bandwidths, and
// points carry channels of values: weights, weights times y, ... What is summed when and why it is exact enough is the
// business of src/regression/line.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Moments of a cell: enough for 24 terms of exp, see docs/lab/regression.md.
inline constexpr int kLineMoments = 24;
/// Chebyshev nodes of a cell of places.
inline constexpr int kLineNodes = 16;
/// Moments of a node of the tree.
inline constexpr int kTreeMoments = 18;

/// Points [0, count) and `channels` rows of values, `stride` apart.
struct LinePoints {
  const double* x;
  const double* values;
  std::int64_t count, stride;
  int channels;
};

/// out[c][k] += sum_i values_ci exp(-v_i^2 / 2) v_i^k with v = (x - centre) * inverse; k < kLineMoments.
struct LineMoments {
  LinePoints points;
  double centre, inverse;
  double* out;
};

/// One cell of points as a cell of places sees it: `away` is the place's centre minus its own.
struct LineCell {
  const double* moments;  ///< (channels, kLineMoments), divided by k!
  double away;
};
/// out[c][k] = sum_j cosines[j][k] g_cj with g_cj = sum over cells of exp(-away^2/2 - away s_j) sum_k moments_ck (away + s_j)^k,
/// at the kLineNodes places s_j.
struct LineNodes {
  const LineCell* cells;
  std::int64_t count;
  int channels;
  const double* s;
  const double* cosines;  ///< (kLineNodes, kLineNodes)
  double* out;
};

/// out[c][i] = sum_k coefficients_ck T_k(t_i), the rows of `out` `stride` apart.
struct LineChebyshev {
  const double* coefficients;  ///< (channels, kLineNodes)
  int channels;
  const double* t;
  std::int64_t count, stride;
  double* out;
};

/// out[c] += sum_i values_ci exp(-e_i (2 d + e_i) / 2) with e_i = e0 + |x_i - x0| * inverse: the weights relative to that of a
/// point d away, of which e says how much farther a point is. x0 is the first or the last of the points.
struct LinePairs {
  LinePoints points;
  double x0, e0, d, inverse;
  double* out;
};

/// A node of the tree, seen from a place u from its centre; rho is half its length, and `factor` the weight of its centre.
struct TreeTerm {
  const double* moments;  ///< (channels, kTreeMoments), of (x - centre) / rho
  double u, rho, factor;
};
/// out[c] += sum over terms of factor * sum_k moments_ck He_k(u) rho^k / k!
struct LineTree {
  const TreeTerm* terms;
  std::int64_t count;
  int channels;
  double* out;
};

/// One instruction set's way to compute them.
struct LineKernels {
  const char* tier;
  void (*moments)(const LineMoments&) noexcept;
  void (*nodes)(const LineNodes&) noexcept;
  void (*chebyshev)(const LineChebyshev&) noexcept;
  void (*pairs)(const LinePairs&) noexcept;
  void (*tree)(const LineTree&) noexcept;
};

}  // namespace heed::kernels
