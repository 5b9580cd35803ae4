// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"

namespace heed {

Tensor Tensor::permute(const Dims& dims) const {
  check_defined(*this, "permute", "tensor");
  check(dims.rank() == rank(), "permute", "dims {} must name each dimension of shape {} once",
        to_string(dims), shape());
  const Dims order = wrap_dims(dims, rank(), "permute");
  detail::ViewGeometry view{shape(), strides(), 0};
  for (std::int64_t i = 0; i < rank(); ++i) {
    view.shape[i] = shape()[order[i]];
    view.strides[i] = strides()[order[i]];
  }
  const Tensor y = detail::make_view(*this, view);
  if (!needs_grad(*this)) return y;
  Dims inverse = order;
  for (std::int64_t i = 0; i < rank(); ++i) inverse[order[i]] = i;
  return record("permute", y, {*this}, [inverse](const Tensor& grad) { return grad.permute(inverse); });
}

}  // namespace heed
