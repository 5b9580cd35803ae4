// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Nadaraya-Watson regression in plain loops over long double: what the library is compared with.
#pragma once

#include <heed/tensor.h>

#include <cmath>
#include <vector>

namespace heed::test {

struct Plain {
  std::vector<std::vector<double>> x, y;  ///< points by row
  std::vector<double> h;

  /// The weights of the points at a place; `without` is left out, if it is one of them.
  std::vector<double> weights(const std::vector<double>& place, std::size_t without) const {
    std::vector<long double> scores(x.size());
    long double best = -INFINITY, total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t d = 0; d < h.size(); ++d) {
        const long double u = (static_cast<long double>(place[d]) - x[i][d]) / h[d];
        scores[i] -= u * u / 2;
      }
      if (i != without) best = std::max(best, scores[i]);
    }
    std::vector<double> p(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i != without) total += std::exp(scores[i] - best);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i != without) p[i] = static_cast<double>(std::exp(scores[i] - best) / total);
    }
    return p;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  double predict(const std::vector<double>& place, std::size_t output, std::size_t without = kNone) const {
    const std::vector<double> p = weights(place, without);
    double f = 0;
    for (std::size_t i = 0; i < x.size(); ++i) f += p[i] * y[i][output];
    return f;
  }

  double standard_error(const std::vector<double>& place, std::size_t output) const {
    const std::vector<double> p = weights(place, kNone);
    double variance = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double residual = y[i][output] - predict(x[i], output, i);
      variance += p[i] * p[i] * residual * residual;
    }
    return std::sqrt(variance);
  }

  double left_out_error(std::size_t output) const {
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      squares += std::pow(y[i][output] - predict(x[i], output, i), 2);
    return squares / static_cast<double>(x.size());
  }
};

/// The rows of a (n, width) tensor.
inline std::vector<std::vector<double>> rows_of(const Tensor& x) {
  std::vector<std::vector<double>> rows;
  for (std::int64_t i = 0; i < x.size(0); ++i) rows.push_back(x[i].to_vector());
  return rows;
}

/// y = sin(3 x0) + noise and, as a second output, 10 x0 - 4 with as much of it; x in 0..2, with features of no use after
/// the first.
struct Points {
  Tensor x, y;
};
inline Points wavy_points(std::int64_t n, std::int64_t features, Dtype dtype) {
  std::vector<double> x, y;
  // Weyl sequences: even, fixed, and without a random generator to depend on.
  const auto weyl = [](std::int64_t i, double step) {
    return std::fmod(static_cast<double>(i + 1) * step, 1.0);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    const double first = 2 * weyl(i, 0.6180339887498949);
    x.push_back(first);
    for (std::int64_t d = 1; d < features; ++d) x.push_back(weyl(i, std::sqrt(2.0 + static_cast<double>(d))));
    const double noise = weyl(i, 0.7548776662466927) - 0.5;
    y.push_back(std::sin(3 * first) + 0.4 * noise);
    y.push_back(10 * first - 4 + 0.4 * noise);
  }
  return {from_vector(x, {n, features}).to(dtype), from_vector(y, {n, 2}).to(dtype)};
}

}  // namespace heed::test
