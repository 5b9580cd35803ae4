// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Local polynomials, and the bands that stand on them.
#include "regression/inner.h"

#include "core/check.h"

#include <heed/autograd.h>
#include <heed/ops.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed {
namespace {

constexpr std::string_view kBandName = "KernelRegression";
constexpr int kMostDegree = 3, kBandDegree = 2;

/// x with Phi(x) = p, p in (1/2, 1): Newton on the error function from a start that is right to 4e-4 (Abramowitz and Stegun
/// 26.2.23).
double normal_quantile(double p) {
  const double t = std::sqrt(-2 * std::log(1 - p));
  double x = t - (2.515517 + 0.802853 * t + 0.010328 * t * t) /
                     (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t);
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    x += (std::erfc(x / std::numbers::sqrt2) / 2 - (1 - p)) / density;
  }
  return x;
}

/// Student's t with `freedom` degrees, by the expansion of Cornish and Fisher: the noise is estimated too.
double student_quantile(double p, double freedom) {
  const double z = normal_quantile(p), z2 = z * z;
  return z + z * (z2 + 1) / (4 * freedom) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * freedom * freedom);
}

/// Variances over three neighbours overlap: so many degrees of freedom does each point give, and these are the least.
constexpr double kFreedomOfAPoint = 0.6, kLeastFreedom = 2;

}  // namespace

LocalFit KernelRegression::local_fit(const Tensor& at, int degree) const {
  const NoGrad guard;
  check(inner_->sample.line != nullptr, kBandName, "local_fit needs one feature, found {}", x_.size(1));
  check(degree >= 0 && degree <= kMostDegree, kBandName, "degree must be 0 to {}, found {}", kMostDegree,
        degree);
  const auto fit = inner_->sample.line->polynomial(inner_->bandwidth.item(), degree, places(at));
  const Tensor variance = fit.noise * fit.shrinkage.unsqueeze(1);
  const regression::Units& y = inner_->y_units;
  return {y.outward(fit.value, y_.dtype()), y.slopes_outward(fit.slope, inner_->x_units).to(y_.dtype()),
          y.differences_outward(sqrt(variance)).to(y_.dtype()), fit.effective};
}

Band KernelRegression::band(const Tensor& at, const BandOptions& options) const {
  const NoGrad guard;
  check(inner_->sample.line != nullptr, kBandName, "band needs one feature, found {}", x_.size(1));
  check(options.level > 0 && options.level < 1, kBandName, "level must lie between 0 and 1, found {}",
        options.level);
  const auto fit = inner_->sample.line->polynomial(inner_->bandwidth.item(), kBandDegree, places(at));
  std::vector<double> quantiles;
  for (const double points : fit.noise_effective.to_vector()) {
    quantiles.push_back(
        student_quantile((1 + options.level) / 2, std::max(kLeastFreedom, kFreedomOfAPoint * points)));
  }
  const Tensor single = full({1}, options.of == BandOptions::Of::kNewObservation ? 1 : 0, f64);
  const Tensor factor = sqrt(fit.shrinkage + single) * from_vector(quantiles, {at.size(0)});
  const Tensor reach = sqrt(fit.noise) * factor.unsqueeze(1);
  const regression::Units& y = inner_->y_units;
  return {y.outward(fit.value - reach, y_.dtype()), y.outward(fit.value + reach, y_.dtype())};
}

}  // namespace heed
