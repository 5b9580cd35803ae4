// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {

Tensor operator*(const Tensor& left, const Tensor& right) {
  const auto [a, b] = promoted(left, right, "mul");
  const Tensor y = binary(BinaryOp::kMul, a, b);
  if (!needs_grad(a, b)) return y;
  const auto gradient = [a_shape = a.shape(), b_shape = b.shape(), a = saved_if(b.requires_grad(), a),
                         b = saved_if(a.requires_grad(), b)](const Tensor& grad) -> Gradients {
    return {b().defined() ? sum_to(grad * b(), a_shape) : Tensor(),
            a().defined() ? sum_to(grad * a(), b_shape) : Tensor()};
  };
  return record("mul", y, {a, b}, gradient);
}

Tensor operator*(const Tensor& x, Scalar factor) {
  const Tensor a = promoted(x, factor, "mul");
  const Tensor y = binary(BinaryOp::kMul, a, factor);
  if (!needs_grad(a)) return y;
  return record("mul", y, {a}, [factor](const Tensor& grad) { return grad * factor; });
}

Tensor operator*(Scalar factor, const Tensor& x) { return x * factor; }

}  // namespace heed
