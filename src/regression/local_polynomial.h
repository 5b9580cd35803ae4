// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A polynomial fitted around a place by least squares under the kernel, as weights of the points: what it is at the place, and its
// slope there, are sums of weights times y.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::regression {

class LocalPolynomial {
 public:
  /// x ascending; must outlive this.
  LocalPolynomial(std::span<const double> x, double h, int degree);

  struct Weights {
    std::int64_t first = 0;            ///< point the weights begin with
    std::vector<double> value, slope;  ///< of the polynomial at the place; slope in units of x
    int degree = 0;                    ///< that was fitted: no more than the points that count allow
    double effective = 0;              ///< 1 / sum of squares of the kernel's shares: how many points count
  };
  /// Valid until the next call.
  const Weights& at(double place);

 private:
  void weigh(double place);

  std::span<const double> x_;
  double h_;
  int degree_;
  std::int64_t nearest_ = 0;
  std::vector<double> kernel_, step_;
  Weights weights_;
};

/// Of each y its squared distance to the mean of its nearest neighbours on the line, scaled so that its mean is the variance
/// around the curve: needs no curve. Rows (n, M) in the order of x; zeros for a single point.
std::vector<double> neighbour_variances(std::span<const double> x, std::span<const double> y, std::size_t M);

}  // namespace heed::regression
