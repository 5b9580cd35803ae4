// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor tanh(const Tensor& x) {
  check_floating(x, "tanh", "x");
  const Tensor y = unary(UnaryOp::kTanh, x);
  if (!needs_grad(x)) return y;
  return record("tanh", y, {x},
                [y = Saved(y)](const Tensor& grad) { return binary(BinaryOp::kTanhGrad, y(), grad); });
}

}  // namespace heed
