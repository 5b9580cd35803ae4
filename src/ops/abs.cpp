// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor abs(const Tensor& x) {
  check_defined(x, "abs", "x");
  check(x.dtype() != boolean, "abs", "x must be a number, found {}", x.dtype());
  const Tensor y = unary(UnaryOp::kAbs, x);
  if (!needs_grad(x)) return y;
  return record("abs", y, {x},
                [x = Saved(x)](const Tensor& grad) { return grad * unary(UnaryOp::kSign, x()); });
}

}  // namespace heed
