// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/launch.h"

#include <limits>

namespace heed {
namespace {

struct Positions {
  std::int64_t first = 0, count = 0, step = 1;
};

/// Python's rule: negative numbers count from the end, then everything is clamped into the dimension.
Positions positions(const Slice& part, std::int64_t size) {
  check(part.step != 0, "slice", "step must not be 0");
  check(part.step != std::numeric_limits<std::int64_t>::min(), "slice", "step {} is too small", part.step);
  const bool forward = part.step > 0;
  const auto clamped = [&](std::int64_t i) {
    return std::clamp(i < 0 ? i + size : i, forward ? std::int64_t{0} : std::int64_t{-1},
                      forward ? size : size - 1);
  };
  const std::int64_t start = part.start ? clamped(*part.start) : (forward ? 0 : size - 1);
  const std::int64_t stop = part.stop ? clamped(*part.stop) : (forward ? size : -1);
  const std::int64_t distance = forward ? stop - start : start - stop;
  if (distance <= 0) return {0, 0, 1};
  const std::int64_t stride = forward ? part.step : -part.step;
  return {start, (distance - 1) / stride + 1, part.step};
}

}  // namespace

Tensor Tensor::slice(std::int64_t dim, const Slice& part) const {
  check_defined(*this, "slice", "tensor");
  const std::int64_t d = wrap_dim(dim, rank(), "slice");
  const Positions at = positions(part, shape()[d]);
  detail::ViewGeometry view{shape(), strides(), at.first * strides()[d]};
  view.shape[d] = at.count;
  // A step beyond the dimension leaves one element, whose stride nobody follows.
  view.strides[d] = at.count > 1 ? strides()[d] * at.step : strides()[d];
  const Tensor y = detail::make_view(*this, view);
  if (!needs_grad(*this)) return y;
  const auto gradient = [d, part, original = shape()](const Tensor& grad) {
    const Tensor result = zeros(original, grad.dtype());
    copy_into(result.slice(d, part), grad);
    return result;
  };
  return record("slice", y, {*this}, gradient);
}

}  // namespace heed
