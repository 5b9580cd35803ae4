// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// New parameters: leaves that require a gradient.
#pragma once

#include <heed/autograd.h>
#include <heed/ops.h>
#include <heed/tensor.h>

namespace heed::nn {

inline Tensor parameter(const Tensor& values) { return values.requires_grad_(); }

/// Uniform on [-bound, bound).
inline Tensor uniform_parameter(const Shape& shape, double bound, Dtype dtype) {
  return parameter(no_grad([&] { return rand(shape, dtype) * (2 * bound) - bound; }));
}

inline Tensor normal_parameter(const Shape& shape, double stddev, Dtype dtype) {
  return parameter(normal(shape, {.stddev = stddev}, dtype));
}

}  // namespace heed::nn
