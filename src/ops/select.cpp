// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/launch.h"

namespace heed {

Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  check_defined(*this, "select", "tensor");
  const std::int64_t d = wrap_dim(dim, rank(), "select");
  const std::int64_t n = shape()[d];
  check(index >= -n && index < n, "select", "index {} is out of range for dim {} of shape {}", index, dim,
        shape());
  const std::int64_t i = index < 0 ? index + n : index;
  detail::ViewGeometry view{shape(), strides(), i * strides()[d]};
  view.shape.erase(d);
  view.strides.erase(d);
  const Tensor y = detail::make_view(*this, view);
  if (!needs_grad(*this)) return y;
  const auto gradient = [d, i, original = shape()](const Tensor& grad) {
    const Tensor result = zeros(original, grad.dtype());
    copy_into(result.select(d, i), grad);
    return result;
  };
  return record("select", y, {*this}, gradient);
}

}  // namespace heed
