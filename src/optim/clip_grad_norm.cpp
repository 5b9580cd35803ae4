// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/optim/clip_grad_norm.h>

#include "core/check.h"
#include "core/dtype_dispatch.h"

#include <heed/autograd.h>
#include <heed/ops.h>

#include <array>
#include <cmath>
#include <numeric>

namespace heed::optim {
namespace {

/// In f64, by eight running sums, in one order whatever the number of threads.
template <class T>
double sum_of_squares(const T* data, std::int64_t count) {
  constexpr std::int64_t kSums = 8;
  std::array<double, kSums> sums{};
  const std::int64_t whole = count - count % kSums;
  for (std::int64_t i = 0; i < count; i += kSums) {
    const std::int64_t here = i < whole ? kSums : count - whole;
    for (std::int64_t lane = 0; lane < here; ++lane) {
      const auto value = static_cast<double>(data[i + lane]);
      sums[static_cast<std::size_t>(lane)] += value * value;
    }
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

double sum_of_squares(const Tensor& x) {
  const Tensor flat = x.contiguous();
  return visit_floating(flat.dtype(),
                        [&](auto zero) { return sum_of_squares(flat.data<decltype(zero)>(), flat.numel()); });
}

}  // namespace

double clip_grad_norm(std::span<const Tensor> parameters, double max_norm) {
  check(max_norm >= 0, "clip_grad_norm", "max_norm must be at least 0, found {}", max_norm);
  const NoGrad guard;
  double total = 0;
  for (const Tensor& parameter : parameters) {
    check_defined(parameter, "clip_grad_norm", "a parameter");
    const Tensor grad = parameter.grad();
    if (grad.defined()) total += sum_of_squares(grad);
  }
  const double norm = std::sqrt(total);
  const double factor = max_norm / (norm + 1e-6);
  if (factor >= 1) return norm;
  // New tensors rather than changes in place: a gradient set by hand may be shared.
  for (const Tensor& parameter : parameters) {
    const Tensor grad = parameter.grad();
    if (grad.defined()) parameter.set_grad(grad * factor);
  }
  return norm;
}

}  // namespace heed::optim
