// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"
#include "kernels/launch.h"
#include "ops/in_place.h"

#include <cmath>

namespace heed {

const Tensor& Tensor::add_(const Tensor& other, double alpha) const {
  check_target(*this, other, "add_");
  check(dtype() != boolean, "add_", "tensor must be a number, found {}", dtype());
  check(is_floating(dtype()) || !is_floating(other.dtype()), "add_", "{} does not add to {} without loss",
        other.dtype(), dtype());
  check(is_floating(dtype()) || std::trunc(alpha) == alpha, "add_", "alpha must be whole for i64, found {}",
        alpha);
  add_into(*this, safe_source(other.to(dtype()), *this), alpha);
  return *this;
}

}  // namespace heed
