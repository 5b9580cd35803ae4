// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/regression.h>

#include "core/check.h"
#include "regression/inner.h"

#include <heed/autograd.h>
#include <heed/ops.h>

#include <cmath>

namespace heed {
namespace {

constexpr std::string_view kRegressionName = "KernelRegression";

Tensor checked_bandwidth(const Tensor& h, std::int64_t D) {
  check_floating(h, kRegressionName, "bandwidth");
  check(h.numel() == 1 || h.shape() == Shape{D}, kRegressionName,
        "bandwidth must be a number or {}, found {}", Shape{D}, h.shape());
  for (const double entry : h.to_vector())
    check(entry > 0, kRegressionName, "bandwidth must be positive, found {}", entry);
  return h.detach().to(f64).reshape({h.numel()}).expand({D}).contiguous();
}

}  // namespace

KernelRegression::KernelRegression(const Tensor& x, const Tensor& y, const Tensor& bandwidth) {
  const NoGrad guard;
  const regression::Data data = regression::checked_data(x, y, kRegressionName);
  x_ = data.x;
  y_ = data.y;
  bandwidth_ = checked_bandwidth(bandwidth, x_.size(1));
  const auto x_units = regression::Units::of(x_), y_units = regression::Units::of(y_);
  inner_ = std::make_shared<const Inner>(Inner{x_units, y_units,
                                               regression::Sample({x_units.inward(x_), y_units.inward(y_)}),
                                               x_units.lengths_inward(bandwidth_)});
}

KernelRegression::KernelRegression(const Tensor& x, const Tensor& y, double bandwidth)
    : KernelRegression(x, y, full({1}, bandwidth, f64)) {}

Tensor KernelRegression::places(const Tensor& at) const {
  check_dtype(at, x_.dtype(), kRegressionName, "at");
  return inner_->x_units.inward(regression::as_rows(at, x_.size(1), kRegressionName, "at"));
}

Tensor KernelRegression::predict(const Tensor& at) const {
  const NoGrad guard;
  return inner_->y_units.outward(regression::means_at(inner_->sample, inner_->bandwidth, places(at)),
                                 y_.dtype());
}

Tensor KernelRegression::leave_one_out() const {
  const NoGrad guard;
  if (x_.size(0) == 1) return full(y_.shape(), std::nan(""), y_.dtype());
  return inner_->y_units.outward(regression::means_of_others(inner_->sample, inner_->bandwidth), y_.dtype());
}

Tensor KernelRegression::standard_error(const Tensor& at, const Tensor& residuals) const {
  const NoGrad guard;
  const Tensor rows = places(at);
  check_dtype(residuals, y_.dtype(), kRegressionName, "residuals");
  const Tensor r = regression::as_rows(residuals, y_.size(1), kRegressionName, "residuals");
  check(r.size(0) == x_.size(0), kRegressionName, "residuals must have {} rows, found {}", x_.size(0),
        r.shape());
  const Tensor inner = inner_->y_units.differences_inward(r);
  const Tensor variances = regression::variances_at(inner_->sample, inner_->bandwidth, inner * inner, rows);
  return inner_->y_units.differences_outward(sqrt(variances)).to(y_.dtype());
}

Tensor KernelRegression::leverage() const {
  const NoGrad guard;
  return regression::own_weights(inner_->sample, inner_->bandwidth);
}

double KernelRegression::degrees_of_freedom() const { return sum(leverage()).item(); }

GoodnessOfFit goodness_of_fit(const Tensor& y, const Tensor& predictions) {
  constexpr std::string_view op = "goodness_of_fit";
  const NoGrad guard;
  const regression::Data data = regression::checked_data(y, y, op);
  check_dtype(predictions, y.dtype(), op, "predictions");
  const Tensor found = regression::as_rows(predictions, data.y.size(1), op, "predictions");
  check(found.size(0) == data.y.size(0), op, "predictions {} must have the shape of y {}", found.shape(),
        data.y.shape());
  const auto units = regression::Units::of(data.y);
  const Tensor inner = units.inward(data.y), errors = units.inward(found) - inner;
  const Tensor deviations = inner - mean(inner, 0, keepdims);
  const Tensor squared = sum(errors * errors, 0), total = sum(deviations * deviations, 0);
  // The mean of equal numbers may differ from them in the last bit.
  const Tensor constant = max(data.y, 0) == min(data.y, 0);
  const Tensor undefined = full(total.shape(), std::nan(""), f64);
  return {units.squares_outward(squared / data.y.size(0)).to(y.dtype()),
          where(constant, undefined, 1 - squared / total).to(y.dtype())};
}

}  // namespace heed
