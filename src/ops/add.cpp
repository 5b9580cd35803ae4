// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {

Tensor operator+(const Tensor& left, const Tensor& right) {
  const auto [a, b] = promoted(left, right, "add");
  const Tensor y = binary(BinaryOp::kAdd, a, b);
  if (!needs_grad(a, b)) return y;
  const auto gradient = [a_shape = a.shape(), b_shape = b.shape(), for_a = a.requires_grad(),
                         for_b = b.requires_grad()](const Tensor& grad) -> Gradients {
    return {for_a ? sum_to(grad, a_shape) : Tensor(), for_b ? sum_to(grad, b_shape) : Tensor()};
  };
  return record("add", y, {a, b}, gradient);
}

Tensor operator+(const Tensor& x, Scalar term) {
  const Tensor a = promoted(x, term, "add");
  const Tensor y = binary(BinaryOp::kAdd, a, term);
  if (!needs_grad(a)) return y;
  return record("add", y, {a}, [](const Tensor& grad) { return grad; });
}

Tensor operator+(Scalar term, const Tensor& x) { return x + term; }

}  // namespace heed
