// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/softmax_rows.h"

#include "core/tensor_impl.h"
#include "kernels/table.h"

namespace heed {
namespace {

kernels::SoftmaxParams params_for(SoftmaxOp op, const Tensor& shaped, const RowMask& mask) {
  kernels::SoftmaxParams params;
  params.op = op;
  params.dtype = shaped.dtype();
  params.n = shaped.size(-1);
  params.rows = params.n == 0 ? 0 : shaped.numel() / params.n;
  if (mask.allowed.defined()) params.mask = mask.allowed.data<bool>();
  if (mask.lens.defined()) params.lens = mask.lens.data<std::int64_t>();
  return params;
}

}  // namespace

Tensor softmax_rows(SoftmaxOp op, const Tensor& x, const RowMask& mask) {
  kernels::SoftmaxParams params = params_for(op, x, mask);
  Shape shape = x.shape();
  if (op == SoftmaxOp::kLogSumExp) {
    shape.erase(shape.rank() - 1);
    params.rows = shape.numel();  // a row of nothing still has a value
  }
  const Tensor y = empty(shape, x.dtype());
  params.in = detail::raw(x);
  params.out = detail::raw_mutable(y);
  kernels::kernels_for(x).softmax(params);
  return y;
}

Tensor softmax_rows_grad(SoftmaxOp op, const Tensor& y, const Tensor& grad, const Tensor& x,
                         const RowMask& mask) {
  const Tensor result = empty(y.shape(), y.dtype());
  const Tensor incoming = grad.contiguous();
  kernels::SoftmaxGradParams params;
  params.forward = params_for(op, y, mask);
  if (x.defined()) params.forward.in = detail::raw(x);
  params.forward.out = const_cast<void*>(detail::raw(y));  // read only
  params.grad_out = detail::raw(incoming);
  params.grad_in = detail::raw_mutable(result);
  kernels::kernels_for(y).softmax_grad(params);
  return result;
}

}  // namespace heed
