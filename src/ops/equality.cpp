// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/dtype_dispatch.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

#include <algorithm>
#include <cmath>

namespace heed {

bool identical(const Tensor& a, const Tensor& b) {
  check_defined(a, "identical", "a");
  check_defined(b, "identical", "b");
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  const NoGrad guard;
  const Tensor left = a.contiguous();
  const Tensor right = b.contiguous();
  return visit_dtype(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return std::equal(left.data<T>(), left.data<T>() + left.numel(), right.data<T>(),
                      [](T x, T y) { return x == y || (x != x && y != y); });
  });
}

bool all_close(const Tensor& a, const Tensor& b, const Closeness& limits) {
  check_defined(a, "all_close", "a");
  check_defined(b, "all_close", "b");
  check_broadcast(a.shape(), b.shape(), "all_close");
  const NoGrad guard;
  const Shape shape = broadcast_shapes(a.shape(), b.shape());
  const Tensor left = a.expand(shape).to(f64).contiguous();
  const Tensor right = b.expand(shape).to(f64).contiguous();
  return std::equal(
      left.data<double>(), left.data<double>() + left.numel(), right.data<double>(), [&](double x, double y) {
        if (x == y || (std::isnan(x) && std::isnan(y))) return true;
        return std::isfinite(y) && std::abs(x - y) <= limits.absolute + limits.relative * std::abs(y);
      });
}

}  // namespace heed
