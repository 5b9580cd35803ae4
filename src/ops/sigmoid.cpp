// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor sigmoid(const Tensor& x) {
  check_floating(x, "sigmoid", "x");
  const Tensor y = unary(UnaryOp::kSigmoid, x);
  if (!needs_grad(x)) return y;
  return record("sigmoid", y, {x},
                [y = Saved(y)](const Tensor& grad) { return binary(BinaryOp::kSigmoidGrad, y(), grad); });
}

}  // namespace heed
