// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {
namespace {

Tensor as_floating(const Tensor& x) { return is_floating(x.dtype()) ? x : x.to(f32); }

}  // namespace

Tensor operator/(const Tensor& left, const Tensor& right) {
  const auto [common_left, common_right] = promoted(left, right, "div");
  const Tensor a = as_floating(common_left);
  const Tensor b = as_floating(common_right);
  const Tensor y = binary(BinaryOp::kDiv, a, b);
  if (!needs_grad(a, b)) return y;
  const auto gradient = [a_shape = a.shape(), b = Saved(b), for_a = a.requires_grad(),
                         y = saved_if(b.requires_grad(), y)](const Tensor& grad) -> Gradients {
    const Tensor share = grad / b();
    return {for_a ? sum_to(share, a_shape) : Tensor(),
            y().defined() ? -sum_to(share * y(), b().shape()) : Tensor()};
  };
  return record("div", y, {a, b}, gradient);
}

Tensor operator/(const Tensor& x, Scalar divisor) {
  check_defined(x, "div", "tensor");
  const Tensor a = as_floating(x);
  const Tensor y = binary(BinaryOp::kDiv, a, divisor);
  if (!needs_grad(a)) return y;
  return record("div", y, {a}, [divisor](const Tensor& grad) { return grad / divisor; });
}

Tensor operator/(Scalar dividend, const Tensor& x) {
  check_defined(x, "div", "tensor");
  const Tensor b = as_floating(x);
  const Tensor y = binary(BinaryOp::kDiv, dividend, b);
  if (!needs_grad(b)) return y;
  return record("div", y, {b},
                [b = Saved(b), y = Saved(y)](const Tensor& grad) { return -(grad * y() / b()); });
}

}  // namespace heed
