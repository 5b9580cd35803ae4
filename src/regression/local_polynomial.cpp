// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/local_polynomial.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::regression {
namespace {

/// Weights below exp(-50) of the largest do not count.
constexpr double kDeepestWeight = 50;
/// A power that varies less than this share of the one before it is not there: x has too few places.
constexpr double kLeastSpread = 1e-10;
constexpr int kMostPowers = 4;
constexpr std::size_t kNeighbours = 3;

}  // namespace

LocalPolynomial::LocalPolynomial(std::span<const double> x, double h, int degree)
    : x_(x), h_(h), degree_(degree) {}

/// Kernel weights relative to the nearest point's, from differences between points, and steps from it.
void LocalPolynomial::weigh(double place) {
  const auto n = static_cast<std::int64_t>(x_.size());
  const auto x = [&](std::int64_t i) { return x_[static_cast<std::size_t>(i)]; };
  const std::int64_t right = std::ranges::lower_bound(x_, place) - x_.begin();
  nearest_ = right == n || (right > 0 && place - x(right - 1) <= x(right) - place) ? right - 1 : right;
  const double away = x(nearest_) - place;
  const auto depth = [&](std::int64_t i) {
    const double step = x(i) - x(nearest_);
    return step / h_ * ((step + 2 * away) / h_) / 2;
  };
  std::int64_t first = nearest_, last = nearest_ + 1;
  while (first > 0 && depth(first - 1) <= kDeepestWeight) --first;
  while (last < n && depth(last) <= kDeepestWeight) ++last;
  weights_.first = first;
  kernel_.clear();
  step_.clear();
  for (std::int64_t i = first; i < last; ++i) {
    kernel_.push_back(std::exp(-depth(i)));
    step_.push_back(x(i) - x(nearest_));
  }
}

/// By polynomials that are orthogonal under the weights, from their recurrence: normal equations of powers would lose half the
/// digits.
const LocalPolynomial::Weights& LocalPolynomial::at(double place) {
  weigh(place);
  const std::size_t count = kernel_.size();
  double total = 0, squares = 0, mean = 0, spread = 0;
  for (const double k : kernel_) {
    total += k;
    squares += k * k;
  }
  for (std::size_t i = 0; i < count; ++i) mean += kernel_[i] / total * step_[i];
  for (std::size_t i = 0; i < count; ++i)
    spread += kernel_[i] / total * (step_[i] - mean) * (step_[i] - mean);
  weights_.effective = total * total / squares;
  const double unit = spread > 0 ? std::sqrt(spread) : 1;
  const auto scaled = [&](double step) { return (step - mean) / unit; };
  const double here = scaled(place - x_[static_cast<std::size_t>(nearest_)]);

  // phi_{k+1}(t) = (t - a) phi_k(t) - b phi_{k-1}(t), at the points, and at the place with its derivative.
  std::vector<double> now(count, 1), before(count, 0);
  double value = 1, value_before = 0, slope = 0, slope_before = 0, norm = total, norm_before = 0;
  weights_.value.assign(count, 0);
  weights_.slope.assign(count, 0);
  weights_.degree = 0;
  for (int k = 0;; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      weights_.value[i] += kernel_[i] * now[i] * (value / norm);
      weights_.slope[i] += kernel_[i] * now[i] * (slope / norm / unit);
    }
    weights_.degree = k;
    if (k == degree_ || k + 1 == kMostPowers || weights_.effective < k + 2) break;
    double a = 0;
    for (std::size_t i = 0; i < count; ++i) a += kernel_[i] * now[i] * now[i] * scaled(step_[i]);
    a /= norm;
    const double b = k == 0 ? 0 : norm / norm_before;
    double next_norm = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double next = (scaled(step_[i]) - a) * now[i] - b * before[i];
      before[i] = now[i];
      now[i] = next;
      next_norm += kernel_[i] * next * next;
    }
    if (!(next_norm > kLeastSpread * norm)) break;
    const double next_value = (here - a) * value - b * value_before;
    const double next_slope = value + (here - a) * slope - b * slope_before;
    value_before = std::exchange(value, next_value);
    slope_before = std::exchange(slope, next_slope);
    norm_before = std::exchange(norm, next_norm);
  }
  return weights_;
}

std::vector<double> neighbour_variances(std::span<const double> x, std::span<const double> y, std::size_t M) {
  const std::size_t n = x.size(), J = std::min(kNeighbours, n - 1);
  std::vector<double> variances(y.size(), 0.0);
  for (std::size_t i = 0; i < n && J > 0; ++i) {
    std::size_t low = i, high = i;  // neighbours are [low, high] without i
    while (high - low < J) {
      const bool down = low > 0 && (high + 1 == n || x[i] - x[low - 1] <= x[high + 1] - x[i]);
      down ? --low : ++high;
    }
    for (std::size_t m = 0; m < M; ++m) {
      double mean = 0;
      for (std::size_t j = low; j <= high; ++j) mean += j == i ? 0 : y[j * M + m] / static_cast<double>(J);
      const double miss = y[i * M + m] - mean;
      variances[i * M + m] = miss * miss * static_cast<double>(J) / static_cast<double>(J + 1);
    }
  }
  return variances;
}

}  // namespace heed::regression
