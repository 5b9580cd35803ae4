// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor relu(const Tensor& x) {
  check_floating(x, "relu", "x");
  const Tensor y = unary(UnaryOp::kRelu, x);
  if (!needs_grad(x)) return y;
  return record("relu", y, {x},
                [y = Saved(y)](const Tensor& grad) { return binary(BinaryOp::kReluGrad, y(), grad); });
}

}  // namespace heed
