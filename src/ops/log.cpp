// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor log(const Tensor& x) {
  check_floating(x, "log", "x");
  const Tensor y = unary(UnaryOp::kLog, x);
  if (!needs_grad(x)) return y;
  return record("log", y, {x}, [x = Saved(x)](const Tensor& grad) { return grad / x(); });
}

}  // namespace heed
