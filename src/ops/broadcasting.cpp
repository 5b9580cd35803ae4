// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/broadcasting.h"

#include "core/check.h"
#include "kernels/launch.h"

namespace heed {

Tensor sum_to(const Tensor& grad, const Shape& shape) {
  if (grad.shape() == shape) return grad;
  const std::int64_t lead = grad.rank() - shape.rank();
  Dims dims;
  for (std::int64_t i = 0; i < grad.rank(); ++i) {
    if (i < lead || (shape[i - lead] == 1 && grad.shape()[i] != 1)) dims.push_back(i);
  }
  return reduce(ReduceOp::kSum, grad, dims).reshape(shape);
}

void check_broadcast(const Shape& a, const Shape& b, std::string_view op) {
  const std::int64_t shared = std::min(a.rank(), b.rank());
  for (std::int64_t i = 1; i <= shared; ++i) {
    const std::int64_t m = a[a.rank() - i];
    const std::int64_t n = b[b.rank() - i];
    check(m == n || m == 1 || n == 1, op, "shapes {} and {} do not broadcast", a, b);
  }
}

std::pair<Tensor, Tensor> promoted(const Tensor& a, const Tensor& b, std::string_view op) {
  check_defined(a, op, "left operand");
  check_defined(b, op, "right operand");
  check_broadcast(a.shape(), b.shape(), op);
  const Dtype dtype = promote(i64, promote(a.dtype(), b.dtype()));
  return {a.to(dtype), b.to(dtype)};
}

Tensor promoted(const Tensor& x, Scalar value, std::string_view op) {
  check_defined(x, op, "tensor");
  if (value.is_floating() && !is_floating(x.dtype())) return x.to(f32);
  return x.dtype() == boolean ? x.to(i64) : x;
}

}  // namespace heed
