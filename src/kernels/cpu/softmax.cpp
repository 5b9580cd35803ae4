// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The softmax family over rows: pass 1 finds the maximum, pass 2 the sum of exp(x - max), pass 3 writes.
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "kernels/cpu/cpu_kernels.h"

#include <cmath>
#include <limits>

namespace heed::kernels::cpu {
namespace {

/// Rows are independent; a thread takes at least some 2000 exponentials' worth of them.
template <class Body>
void for_each_row(std::int64_t rows, std::int64_t n, const Body& body) {
  const std::int64_t grain = std::max<std::int64_t>(1, 2048 / std::max<std::int64_t>(1, n));
  parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) body(row);
  });
}

/// NaN wins, so that it reaches the whole row.
template <class T>
T larger(T a, T b) {
  return a > b || a != a ? a : b;
}

template <class T>
T largest(const T* x, std::int64_t n) {
  T result = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < n; ++i) result = larger(result, x[i]);
  return result;
}

template <class T>
T log_sum_exp(const T* x, std::int64_t n) {
  const T top = largest(x, n);
  if (std::isinf(top)) return top;  // nothing but -inf, or some +inf: x - top would be NaN
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += std::exp(x[i] - top);
  return static_cast<T>(static_cast<double>(top) + std::log(sum));
}

template <class T>
void plain_row(const T* x, T* y, std::int64_t n) {
  const T top = largest(x, n);
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    y[i] = std::exp(x[i] - top);
    sum += y[i];
  }
  const T scale = static_cast<T>(1 / sum);
  for (std::int64_t i = 0; i < n; ++i) y[i] *= scale;
}

template <class T>
void log_row(const T* x, T* y, std::int64_t n) {
  const T top = largest(x, n);
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += std::exp(x[i] - top);
  const T log_sum = static_cast<T>(std::log(sum));
  for (std::int64_t i = 0; i < n; ++i) y[i] = (x[i] - top) - log_sum;
}

/// What of one row takes part: the first `length`, of these what `allowed` says, of these what is not -inf.
template <class T>
struct Row {
  const T* x;
  const bool* allowed;
  std::int64_t length;

  Row(const SoftmaxParams& p, std::int64_t row)
      : x(static_cast<const T*>(p.in) + row * p.n),
        allowed(p.mask ? p.mask + row * p.n : nullptr),
        length(p.lens ? p.lens[row] : p.n) {}

  bool has(std::int64_t i) const {
    return (allowed == nullptr || allowed[i]) && x[i] != -std::numeric_limits<T>::infinity();
  }
};

template <class T>
void masked_row(const Row<T>& row, T* y, std::int64_t n) {
  T top = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < row.length; ++i) {
    if (row.has(i)) top = larger(top, row.x[i]);
  }
  double sum = 0;
  for (std::int64_t i = 0; i < row.length; ++i) {
    y[i] = row.has(i) ? std::exp(row.x[i] - top) : T{0};
    sum += y[i];
  }
  const T scale = static_cast<T>(1 / sum);
  for (std::int64_t i = 0; i < row.length; ++i) {
    if (row.has(i)) y[i] *= scale;  // a row of nothing stays 0
  }
  std::fill(y + row.length, y + n, T{0});
}

template <class T>
void forward(const SoftmaxParams& p) {
  const T* in = static_cast<const T*>(p.in);
  T* out = static_cast<T*>(p.out);
  for_each_row(p.rows, p.n, [&](std::int64_t row) {
    const T* x = in + row * p.n;
    switch (p.op) {
      case SoftmaxOp::kSoftmax: return plain_row(x, out + row * p.n, p.n);
      case SoftmaxOp::kLogSoftmax: return log_row(x, out + row * p.n, p.n);
      case SoftmaxOp::kMaskedSoftmax: return masked_row(Row<T>(p, row), out + row * p.n, p.n);
      case SoftmaxOp::kLogSumExp: out[row] = log_sum_exp(x, p.n); return;
    }
  });
}

/// softmax: y (g - sum g y); log-softmax: g - exp(y) sum g.
template <class T>
void backward(const SoftmaxGradParams& p) {
  const SoftmaxParams& f = p.forward;
  for_each_row(f.rows, f.n, [&](std::int64_t r) {
    const T* y = static_cast<const T*>(f.out) + r * f.n;
    const T* g = static_cast<const T*>(p.grad_out) + r * f.n;
    T* out = static_cast<T*>(p.grad_in) + r * f.n;
    double sum = 0;
    if (f.op == SoftmaxOp::kLogSoftmax) {
      for (std::int64_t i = 0; i < f.n; ++i) sum += g[i];
      const T total = static_cast<T>(sum);
      for (std::int64_t i = 0; i < f.n; ++i) out[i] = g[i] - std::exp(y[i]) * total;
    } else if (f.op == SoftmaxOp::kSoftmax) {
      for (std::int64_t i = 0; i < f.n; ++i) sum += static_cast<double>(g[i]) * y[i];
      const T total = static_cast<T>(sum);
      for (std::int64_t i = 0; i < f.n; ++i) out[i] = y[i] * (g[i] - total);
    } else {
      const Row<T> row(f, r);
      for (std::int64_t i = 0; i < row.length; ++i) {
        if (row.has(i)) sum += static_cast<double>(g[i]) * y[i];
      }
      const T total = static_cast<T>(sum);
      for (std::int64_t i = 0; i < row.length; ++i) out[i] = row.has(i) ? y[i] * (g[i] - total) : T{0};
      std::fill(out + row.length, out + f.n, T{0});
    }
  });
}

}  // namespace

void softmax(const SoftmaxParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) { forward<decltype(zero)>(p); });
}

void softmax_grad(const SoftmaxGradParams& p) noexcept {
  visit_floating(p.forward.dtype, [&](auto zero) { backward<decltype(zero)>(p); });
}

}  // namespace heed::kernels::cpu
