// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/project.h"

#include "autograd/record.h"
#include "core/dtype_dispatch.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/ops.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::detail {
namespace {

/// Up to so many rows a matrix may lie the other way round: transposing it on the way takes less than doing it beforehand.
constexpr std::int64_t kManyRows = 1024;

/// x (rows, in), any strides; w (in, out) and bias (out) off the tape, bias contiguous, and w or its transpose. The result has
/// `shape`.
Tensor product(const Tensor& x, const Tensor& w, const Tensor& bias, const Shape& shape) {
  const Tensor y = empty(shape, x.dtype());
  kernels::kernels_for(x).project_rows({.dtype = x.dtype(),
                                        .rows = x.size(0),
                                        .in = w.size(0),
                                        .out = w.size(1),
                                        .x = raw(x),
                                        .x_row = x.strides()[0],
                                        .x_column = x.strides()[1],
                                        .w = raw(w),
                                        .w_in = w.strides()[0],
                                        .w_out = w.is_contiguous() ? 1 : w.strides()[1],
                                        .bias = bias.defined() ? raw(bias) : nullptr,
                                        .y = raw_mutable(y)});
  return y;
}

template <class T>
bool all_finite(const T* x, std::int64_t n) {
  int beyond = 0;
#pragma omp simd reduction(| : beyond)
  for (std::int64_t i = 0; i < n; ++i) beyond |= !(std::abs(x[i]) <= std::numeric_limits<T>::max());
  return beyond == 0;
}

/// Elements of y = x w, contiguous, that overflowed, or whose terms did: again, in long double. Beyond the range they are
/// `beyond` with their sign.
enum class Beyond { kLargest, kInfinite };
void recover(const Tensor& y, const Tensor& x, const Tensor& w, Beyond beyond) {
  visit_floating(y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* out = static_cast<T*>(raw_mutable(y));
    if (all_finite(out, y.numel())) return;
    constexpr long double kMost = std::numeric_limits<T>::max();
    const T *a = static_cast<const T*>(raw(x)), *b = static_cast<const T*>(raw(w));
    const std::int64_t columns = w.size(1);
    for (std::int64_t n = 0; n < y.numel(); ++n) {
      if (std::isfinite(out[n])) continue;
      long double sum = 0;
      for (std::int64_t c = 0; c < w.size(0); ++c) {
        sum += static_cast<long double>(a[n / columns * x.strides()[0] + c * x.strides()[1]]) *
               static_cast<long double>(b[c * w.strides()[0] + n % columns * w.strides()[1]]);
      }
      if (!std::isfinite(sum)) continue;
      out[n] = static_cast<T>(beyond == Beyond::kLargest ? std::clamp(sum, -kMost, kMost) : sum);
    }
  });
}

/// (..., n) as (rows, n).
Tensor as_rows(const Tensor& x) {
  return x.reshape({x.size(-1) > 0 ? x.numel() / x.size(-1) : 0, x.size(-1)});
}

Shape with_last(Shape shape, std::int64_t size) {
  shape[shape.rank() - 1] = size;
  return shape;
}

}  // namespace

Tensor project(const Tensor& strided_x, const Tensor& W, const Tensor& bias, Overflow overflow) {
  const Tensor x = strided_x.contiguous();
  // With nothing to sum over there are no rows to be seen in x; the bias is all there is.
  const std::int64_t rows = W.size(1) > 0 ? x.numel() / W.size(1) : 0;
  if (rows == 0)
    return matmul(x, W.transpose(0, 1)) + (bias.defined() ? bias : zeros({W.size(0)}, x.dtype()));
  const Tensor w = W.detach().transpose(0, 1);
  const Tensor y = product(
      x.detach().reshape({rows, W.size(1)}), rows <= kManyRows && W.is_contiguous() ? w : w.contiguous(),
      bias.defined() ? bias.detach().contiguous() : Tensor(), with_last(x.shape(), W.size(0)));
  const bool recovers = overflow == Overflow::kRecovered;
  if (recovers) recover(y, x.detach().reshape({rows, W.size(1)}), w, Beyond::kLargest);
  if (!needs_grad(x, W, bias)) return y;
  const auto gradient = [x_shape = x.shape(), W_shape = W.shape(), x = saved_if(W.requires_grad(), x),
                         W = saved_if(x.requires_grad(), W), for_bias = bias.requires_grad(),
                         recovers](const Tensor& strided_grad) -> Gradients {
    const Tensor grad = as_rows(strided_grad.contiguous());
    const auto multiply = [&](const Tensor& a, const Tensor& b, const Shape& shape) {
      const Tensor result = product(a, b, {}, shape);
      if (recovers) recover(result, a, b, Beyond::kInfinite);
      return result;
    };
    return {W().defined() ? multiply(grad, W().contiguous(), x_shape) : Tensor(),
            x().defined() ? multiply(grad.transpose(0, 1), as_rows(x()), W_shape) : Tensor(),
            for_bias ? sum(grad, 0) : Tensor()};
  };
  return record("project", y, {x, W, bias}, gradient);
}

}  // namespace heed::detail
