// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"

#include <utility>

namespace heed {

Tensor Tensor::transpose(std::int64_t dim1, std::int64_t dim2) const {
  check_defined(*this, "transpose", "tensor");
  const std::int64_t a = wrap_dim(dim1, rank(), "transpose");
  const std::int64_t b = wrap_dim(dim2, rank(), "transpose");
  detail::ViewGeometry view{shape(), strides(), 0};
  std::swap(view.shape[a], view.shape[b]);
  std::swap(view.strides[a], view.strides[b]);
  const Tensor y = detail::make_view(*this, view);
  if (!needs_grad(*this)) return y;
  return record("transpose", y, {*this}, [a, b](const Tensor& grad) { return grad.transpose(a, b); });
}

}  // namespace heed
