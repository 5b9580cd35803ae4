// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/project.h"

#include "autograd/record.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/ops.h>

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

/// (..., n) as (rows, n).
Tensor as_rows(const Tensor& x) {
  return x.reshape({x.size(-1) > 0 ? x.numel() / x.size(-1) : 0, x.size(-1)});
}

Shape with_last(Shape shape, std::int64_t size) {
  shape[shape.rank() - 1] = size;
  return shape;
}

}  // namespace

Tensor project(const Tensor& strided_x, const Tensor& W, const Tensor& bias) {
  const Tensor x = strided_x.contiguous();
  // With nothing to sum over there are no rows to be seen in x; the bias is all there is.
  const std::int64_t rows = W.size(1) > 0 ? x.numel() / W.size(1) : 0;
  if (rows == 0)
    return matmul(x, W.transpose(0, 1)) + (bias.defined() ? bias : zeros({W.size(0)}, x.dtype()));
  const Tensor w = W.detach().transpose(0, 1);
  const Tensor y = product(
      x.detach().reshape({rows, W.size(1)}), rows <= kManyRows && W.is_contiguous() ? w : w.contiguous(),
      bias.defined() ? bias.detach().contiguous() : Tensor(), with_last(x.shape(), W.size(0)));
  if (!needs_grad(x, W, bias)) return y;
  const auto gradient = [x_shape = x.shape(), W_shape = W.shape(), x = saved_if(W.requires_grad(), x),
                         W = saved_if(x.requires_grad(), W),
                         for_bias = bias.requires_grad()](const Tensor& strided_grad) -> Gradients {
    const Tensor grad = as_rows(strided_grad.contiguous());
    return {W().defined() ? product(grad, W().contiguous(), {}, x_shape) : Tensor(),
            x().defined() ? product(grad.transpose(0, 1), as_rows(x()), {}, W_shape) : Tensor(),
            for_bias ? sum(grad, 0) : Tensor()};
  };
  return record("project", y, {x, W, bias}, gradient);
}

}  // namespace heed::detail
