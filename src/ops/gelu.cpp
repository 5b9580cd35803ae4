// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// x Phi(x), Phi the normal distribution function, or its approximation by tanh (Hendrycks and Gimpel 2016).
#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

namespace heed {

Tensor gelu(const Tensor& x, Gelu form) {
  check_floating(x, "gelu", "x");
  const bool exact = form == Gelu::kExact;
  const Tensor y = unary(exact ? UnaryOp::kGelu : UnaryOp::kGeluTanh, x);
  if (!needs_grad(x)) return y;
  const UnaryOp slope = exact ? UnaryOp::kGeluGrad : UnaryOp::kGeluTanhGrad;
  return record("gelu", y, {x},
                [slope, x = Saved(x)](const Tensor& grad) { return grad * unary(slope, x()); });
}

}  // namespace heed
