// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/launch.h"

namespace heed {

Tensor Tensor::diagonal(const DiagonalOptions& options) const {
  check_defined(*this, "diagonal", "tensor");
  const std::int64_t a = wrap_dim(options.dim1, rank(), "diagonal");
  const std::int64_t b = wrap_dim(options.dim2, rank(), "diagonal");
  check(a != b, "diagonal", "dim1 and dim2 must differ, found {} and {}", options.dim1, options.dim2);
  const std::int64_t rows = shape()[a];
  const std::int64_t columns = shape()[b];
  const std::int64_t offset = std::clamp(options.offset, -rows, columns);
  const std::int64_t first_row = std::max<std::int64_t>(0, -offset);
  const std::int64_t first_column = std::max<std::int64_t>(0, offset);
  const std::int64_t count = std::min(rows - first_row, columns - first_column);

  detail::ViewGeometry view{shape(), strides(), 0};
  if (count > 0) view.offset = first_row * strides()[a] + first_column * strides()[b];
  for (std::int64_t dim : {std::max(a, b), std::min(a, b)}) {
    view.shape.erase(dim);
    view.strides.erase(dim);
  }
  view.shape.push_back(count);
  view.strides.push_back(strides()[a] + strides()[b]);
  const Tensor y = detail::make_view(*this, view);
  if (!needs_grad(*this)) return y;
  const auto gradient = [options, original = shape()](const Tensor& grad) {
    const Tensor result = zeros(original, grad.dtype());
    copy_into(result.diagonal(options), grad);
    return result;
  };
  return record("diagonal", y, {*this}, gradient);
}

}  // namespace heed
