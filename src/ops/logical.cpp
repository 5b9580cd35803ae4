// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"
#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {
namespace {

Tensor combine(BinaryOp op, const Tensor& a, const Tensor& b, std::string_view name) {
  check_dtype(a, boolean, name, "left operand");
  check_dtype(b, boolean, name, "right operand");
  check_broadcast(a.shape(), b.shape(), name);
  return binary(op, a, b);
}

}  // namespace

Tensor logical_and(const Tensor& a, const Tensor& b) { return combine(BinaryOp::kAnd, a, b, "logical_and"); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return combine(BinaryOp::kOr, a, b, "logical_or"); }

Tensor logical_not(const Tensor& x) {
  check_dtype(x, boolean, "logical_not", "x");
  return unary(UnaryOp::kNot, x);
}

}  // namespace heed
