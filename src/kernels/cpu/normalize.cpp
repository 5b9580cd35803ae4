// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Layer normalisation over rows. Statistics are two-pass and in f64 whatever the dtype: a large common offset
// must not cancel the variance away.
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <cmath>

namespace heed::kernels::cpu {
namespace {

std::int64_t row_grain(std::int64_t n) {
  return std::max<std::int64_t>(1, (1 << 13) / std::max<std::int64_t>(1, n));
}

/// sum of value(i) in four lanes: a fixed order that keeps the adders busy.
template <class Value>
double lane_sum(std::int64_t n, const Value& value) {
  double lanes[4] = {};
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::int64_t l = 0; l < 4; ++l) lanes[l] += value(i + l);
  }
  for (; i < n; ++i) lanes[0] += value(i);
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

template <class T>
void forward(const NormalizeParams& p) {
  const T* weight = static_cast<const T*>(p.weight);
  const T* bias = static_cast<const T*>(p.bias);
  const double count = static_cast<double>(p.n);
  parallel_for(p.rows, row_grain(p.n), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const T* x = static_cast<const T*>(p.x) + row * p.n;
      T* y = static_cast<T*>(p.y) + row * p.n;
      const double mean = lane_sum(p.n, [&](std::int64_t i) { return static_cast<double>(x[i]); }) / count;
      const double variance =
          lane_sum(p.n, [&](std::int64_t i) { return (x[i] - mean) * (x[i] - mean); }) / count;
      const double inverse = 1 / std::sqrt(variance + p.epsilon);
      p.mean[row] = mean;
      p.inverse_deviation[row] = inverse;
      for (std::int64_t i = 0; i < p.n; ++i) {
        double value = (x[i] - mean) * inverse;
        if (weight) value *= static_cast<double>(weight[i]);
        if (bias) value += static_cast<double>(bias[i]);
        y[i] = static_cast<T>(value);
      }
    }
  });
}

template <class T>
void backward(const NormalizeGradParams& p) {
  const T* weight = static_cast<const T*>(p.weight);
  const double count = static_cast<double>(p.n);
  parallel_for(p.rows, row_grain(p.n), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const T* x = static_cast<const T*>(p.x) + row * p.n;
      const T* grad_y = static_cast<const T*>(p.grad_y) + row * p.n;
      const double inverse = p.inverse_deviation[row];
      const auto h = [&](std::int64_t i) { return (x[i] - p.mean[row]) * inverse; };
      const auto g = [&](std::int64_t i) {
        return static_cast<double>(grad_y[i]) * (weight ? static_cast<double>(weight[i]) : 1.0);
      };
      if (p.grad_x != nullptr) {
        T* grad_x = static_cast<T*>(p.grad_x) + row * p.n;
        const double average_g = lane_sum(p.n, g) / count;
        const double average_gh = lane_sum(p.n, [&](std::int64_t i) { return g(i) * h(i); }) / count;
        for (std::int64_t i = 0; i < p.n; ++i) {
          grad_x[i] = static_cast<T>(inverse * (g(i) - average_g - h(i) * average_gh));
        }
      }
      if (p.grad_weight_terms != nullptr) {
        T* terms = static_cast<T*>(p.grad_weight_terms) + row * p.n;
        for (std::int64_t i = 0; i < p.n; ++i)
          terms[i] = static_cast<T>(static_cast<double>(grad_y[i]) * h(i));
      }
    }
  });
}

}  // namespace

void normalize(const NormalizeParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) { forward<decltype(zero)>(p); });
}

void normalize_grad(const NormalizeGradParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) { backward<decltype(zero)>(p); });
}

}  // namespace heed::kernels::cpu
