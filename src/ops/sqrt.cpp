// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor sqrt(const Tensor& x) {
  check_floating(x, "sqrt", "x");
  const Tensor y = unary(UnaryOp::kSqrt, x);
  if (!needs_grad(x)) return y;
  return record("sqrt", y, {x}, [y = Saved(y)](const Tensor& grad) { return grad / (y() * 2); });
}

}  // namespace heed
