// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {
namespace {

/// x^p off the tape; squares need no pow().
Tensor power(const Tensor& x, Scalar p) {
  return p.real() == 2 ? binary(BinaryOp::kMul, x, x) : binary(BinaryOp::kPow, x, p);
}

Tensor slope(const Tensor& x, Scalar p) {
  if (p.real() == 0) return zeros_like(x);  // also at x = 0, where x^-1 is inf
  if (p.real() == 1) return ones_like(x);
  return p.real() == 2 ? x * 2 : power(x, p.real() - 1) * p;
}

}  // namespace

Tensor pow(const Tensor& x, Scalar exponent) {
  const Tensor base = promoted(x, exponent, "pow");
  check(is_floating(base.dtype()) || exponent.integer() >= 0, "pow",
        "exponent must not be negative for an i64 tensor, found {}", exponent.integer());
  const Tensor y = power(base, exponent);
  if (!needs_grad(base)) return y;
  return record("pow", y, {base},
                [exponent, x = Saved(base)](const Tensor& grad) { return grad * slope(x(), exponent); });
}

Tensor pow(const Tensor& x, const Tensor& exponent) {
  const auto [a, b] = promoted(x, exponent, "pow");
  const Tensor y = binary(BinaryOp::kPow, a, b);
  if (!needs_grad(a, b)) return y;
  const auto gradient = [a = Saved(a), b = Saved(b), y = Saved(y), for_a = a.requires_grad(),
                         for_b = b.requires_grad()](const Tensor& grad) -> Gradients {
    Gradients result(2);
    if (for_a) {
      const Tensor ga = select(b() == 0, 0, grad * b() * binary(BinaryOp::kPow, a(), b() - 1));
      result[0] = sum_to(ga, a().shape());
    }
    if (for_b) {
      // d/db a^b = a^b log a, whose limit at a = 0 is 0.
      const Tensor at_zero = logical_and(a() == 0, b() >= 0);
      result[1] = sum_to(select(at_zero, 0, grad * y() * log(a())), b().shape());
    }
    return result;
  };
  return record("pow", y, {a, b}, gradient);
}

}  // namespace heed
