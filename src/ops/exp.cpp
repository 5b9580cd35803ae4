// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor exp(const Tensor& x) {
  check_floating(x, "exp", "x");
  const Tensor y = unary(UnaryOp::kExp, x);
  if (!needs_grad(x)) return y;
  return record("exp", y, {x}, [y = Saved(y)](const Tensor& grad) { return grad * y(); });
}

}  // namespace heed
