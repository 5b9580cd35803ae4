// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor operator-(const Tensor& x) {
  check_defined(x, "neg", "x");
  check(x.dtype() != boolean, "neg", "x must be a number, found {}", x.dtype());
  const Tensor y = unary(UnaryOp::kNeg, x);
  if (!needs_grad(x)) return y;
  return record("neg", y, {x}, [](const Tensor& grad) { return -grad; });
}

}  // namespace heed
