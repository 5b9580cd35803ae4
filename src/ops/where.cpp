// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {

Tensor where(const Tensor& condition, const Tensor& left, const Tensor& right) {
  check_dtype(condition, boolean, "where", "condition");
  check_defined(left, "where", "a");
  check_defined(right, "where", "b");
  check_broadcast(left.shape(), right.shape(), "where");
  check_broadcast(condition.shape(), broadcast_shapes(left.shape(), right.shape()), "where");
  const Dtype dtype = promote(left.dtype(), right.dtype());
  const Tensor a = left.to(dtype);
  const Tensor b = right.to(dtype);
  const Tensor y = select(condition, a, b);
  if (!needs_grad(a, b)) return y;
  const auto gradient = [condition = Saved(condition), a_shape = a.shape(), b_shape = b.shape(),
                         for_a = a.requires_grad(),
                         for_b = b.requires_grad()](const Tensor& grad) -> Gradients {
    return {for_a ? sum_to(select(condition(), grad, 0), a_shape) : Tensor(),
            for_b ? sum_to(select(condition(), 0, grad), b_shape) : Tensor()};
  };
  return record("where", y, {a, b}, gradient);
}

}  // namespace heed
