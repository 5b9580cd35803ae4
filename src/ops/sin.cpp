// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor sin(const Tensor& x) {
  check_floating(x, "sin", "x");
  const Tensor y = unary(UnaryOp::kSin, x);
  if (!needs_grad(x)) return y;
  return record("sin", y, {x}, [x = Saved(x)](const Tensor& grad) { return grad * cos(x()); });
}

}  // namespace heed
