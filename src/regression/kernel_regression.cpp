#include <heed/regression.h>

#include "core/check.h"
#include "regression/leave_one_out.h"

#include <heed/attend.h>
#include <heed/autograd.h>
#include <heed/ops.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed {
namespace {

using regression::Rows;

constexpr std::string_view kRegressionName = "KernelRegression";

Tensor checked_bandwidth(const Tensor& h, std::int64_t D, Dtype dtype) {
  check_floating(h, kRegressionName, "bandwidth");
  check(h.numel() == 1 || h.shape() == Shape{D}, kRegressionName,
        "bandwidth must be a number or {}, found {}", Shape{D}, h.shape());
  for (const double entry : h.to_vector())
    check(entry > 0, kRegressionName, "bandwidth must be positive, found {}", entry);
  return h.detach().to(dtype).reshape({h.numel()}).expand({D}).contiguous();
}

/// Computes at the bandwidth, and what is lost there at a wider one. Scores overflow more than 1e19 (f32) or 1e154 (f64)
/// bandwidths away; there only the nearest points have weight, at a bandwidth as much wider as this one too.
template <class Compute>
Tensor without_losses(const Tensor& bandwidth, const Compute& compute) {
  const Rows rows = compute(bandwidth);
  const double widest = max(bandwidth).item();
  if (sum(rows.lost.to(i64)).item<std::int64_t>() == 0 || std::isinf(widest)) return rows.values;
  const double factor = bandwidth.dtype() == f32 ? 1e12 : 1e100;
  return where(rows.lost.unsqueeze(1), without_losses(bandwidth * factor, compute), rows.values);
}

Tensor is_lost(const Tensor& log_sum_exp) { return log_sum_exp == -std::numeric_limits<double>::infinity(); }

}  // namespace

KernelRegression::KernelRegression(const Tensor& x, const Tensor& y, const Tensor& bandwidth) {
  const regression::Data data = regression::checked_data(x, y, kRegressionName);
  x_ = data.x;
  y_ = data.y;
  bandwidth_ = checked_bandwidth(bandwidth, x_.size(1), x_.dtype());
}

KernelRegression::KernelRegression(const Tensor& x, const Tensor& y, double bandwidth)
    : KernelRegression(x, y, full({1}, bandwidth, f64)) {}

Tensor KernelRegression::predict(const Tensor& at) const {
  const NoGrad guard;
  check_dtype(at, x_.dtype(), kRegressionName, "at");
  const Tensor queries = regression::as_rows(at, x_.size(1), kRegressionName, "at");
  return without_losses(bandwidth_, [&](const Tensor& h) {
    const AttendResult result = attend_with_weights(queries, x_, y_, {.score = Gaussian{.bandwidth = h}});
    return Rows{result.output, is_lost(result.log_sum_exp)};
  });
}

Tensor KernelRegression::leave_one_out() const {
  const NoGrad guard;
  if (x_.size(0) == 1) return full(y_.shape(), std::nan(""), y_.dtype());
  return without_losses(bandwidth_, [&](const Tensor& h) {
    return regression::left_out({x_, y_}, Gaussian{.bandwidth = h});
  });
}

Tensor KernelRegression::standard_error(const Tensor& at, const Tensor& residuals) const {
  const NoGrad guard;
  check_dtype(at, x_.dtype(), kRegressionName, "at");
  check_dtype(residuals, y_.dtype(), kRegressionName, "residuals");
  const Tensor queries = regression::as_rows(at, x_.size(1), kRegressionName, "at");
  const Tensor r = regression::as_rows(residuals, y_.size(1), kRegressionName, "residuals");
  check(r.size(0) == x_.size(0), kRegressionName, "residuals must have {} rows, found {}", x_.size(0),
        r.shape());
  const Tensor squares = r * r;
  const auto variance = [&](const Tensor& rows) {
    return without_losses(bandwidth_, [&](const Tensor& h) {
      // Weights are wanted, and no values.
      const AttendResult result = attend_with_weights(rows, x_, zeros({x_.size(0), 0}, x_.dtype()),
                                                      {.score = Gaussian{.bandwidth = h}});
      const Tensor p = result.weights();
      return Rows{matmul(p * p, squares), is_lost(result.log_sum_exp)};
    });
  };
  // A block of weights at a time, of some megabytes.
  const std::int64_t block = std::max<std::int64_t>(1, (1 << 20) / x_.size(0));
  std::vector<Tensor> blocks = {zeros({0, y_.size(1)}, y_.dtype())};
  for (std::int64_t begin = 0; begin < queries.size(0); begin += block) {
    const Slice rows{.start = begin, .stop = std::min(begin + block, queries.size(0))};
    blocks.push_back(sqrt(variance(queries.slice(0, rows))));
  }
  return cat(blocks);
}

GoodnessOfFit goodness_of_fit(const Tensor& y, const Tensor& predictions) {
  constexpr std::string_view op = "goodness_of_fit";
  const NoGrad guard;
  const regression::Data data = regression::checked_data(y, y, op);
  check_dtype(predictions, y.dtype(), op, "predictions");
  const Tensor found = regression::as_rows(predictions, data.y.size(1), op, "predictions");
  check(found.size(0) == data.y.size(0), op, "predictions {} must have the shape of y {}", found.shape(),
        data.y.shape());
  const Tensor errors = found - data.y, deviations = data.y - mean(data.y, 0, keepdims);
  const Tensor squared = sum(errors * errors, 0), total = sum(deviations * deviations, 0);
  // The mean of equal numbers may differ from them in the last bit.
  const Tensor constant = max(data.y, 0) == min(data.y, 0);
  const Tensor undefined = full(total.shape(), std::nan(""), total.dtype());
  return {squared / data.y.size(0), where(constant, undefined, 1 - squared / total)};
}

}  // namespace heed
