// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor cos(const Tensor& x) {
  check_floating(x, "cos", "x");
  const Tensor y = unary(UnaryOp::kCos, x);
  if (!needs_grad(x)) return y;
  return record("cos", y, {x}, [x = Saved(x)](const Tensor& grad) { return -(grad * sin(x())); });
}

}  // namespace heed
