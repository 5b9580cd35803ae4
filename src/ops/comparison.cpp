// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/launch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

namespace heed {
namespace {

Tensor compare(BinaryOp op, const Tensor& left, const Tensor& right, std::string_view name) {
  const auto [a, b] = promoted(left, right, name);
  return binary(op, a, b);
}

Tensor compare(BinaryOp op, const Tensor& x, Scalar value, std::string_view name) {
  return binary(op, promoted(x, value, name), value);
}

Tensor compare(BinaryOp op, Scalar value, const Tensor& x, std::string_view name) {
  return binary(op, value, promoted(x, value, name));
}

}  // namespace

Tensor operator==(const Tensor& a, const Tensor& b) { return compare(BinaryOp::kEqual, a, b, "equal"); }
Tensor operator!=(const Tensor& a, const Tensor& b) {
  return compare(BinaryOp::kNotEqual, a, b, "not_equal");
}
Tensor operator<(const Tensor& a, const Tensor& b) { return compare(BinaryOp::kLess, a, b, "less"); }
Tensor operator<=(const Tensor& a, const Tensor& b) {
  return compare(BinaryOp::kLessEqual, a, b, "less_equal");
}
Tensor operator>(const Tensor& a, const Tensor& b) { return compare(BinaryOp::kLess, b, a, "greater"); }
Tensor operator>=(const Tensor& a, const Tensor& b) {
  return compare(BinaryOp::kLessEqual, b, a, "greater_equal");
}

Tensor operator==(const Tensor& a, Scalar b) { return compare(BinaryOp::kEqual, a, b, "equal"); }
Tensor operator!=(const Tensor& a, Scalar b) { return compare(BinaryOp::kNotEqual, a, b, "not_equal"); }
Tensor operator<(const Tensor& a, Scalar b) { return compare(BinaryOp::kLess, a, b, "less"); }
Tensor operator<=(const Tensor& a, Scalar b) { return compare(BinaryOp::kLessEqual, a, b, "less_equal"); }
Tensor operator>(const Tensor& a, Scalar b) { return compare(BinaryOp::kLess, b, a, "greater"); }
Tensor operator>=(const Tensor& a, Scalar b) { return compare(BinaryOp::kLessEqual, b, a, "greater_equal"); }

}  // namespace heed
