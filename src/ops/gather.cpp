// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"
#include "ops/index_checks.h"

#include <heed/ops.h>

namespace heed {
namespace {

kernels::GatherParams params_for(const Shape& table, std::int64_t dim, const Tensor& index) {
  kernels::GatherParams params;
  params.outer = params.inner = 1;
  for (std::int64_t i = 0; i < dim; ++i) params.outer *= table[i];
  for (std::int64_t i = dim + 1; i < table.rank(); ++i) params.inner *= table[i];
  params.n = table[dim];
  params.count = index.shape()[dim];
  params.index = index.data<std::int64_t>();
  return params;
}

void check_index(const Tensor& x, std::int64_t dim, const Tensor& index) {
  check_dtype(index, i64, "gather", "index");
  Shape expected = x.shape();
  if (index.rank() == x.rank()) expected[dim] = index.shape()[dim];
  check(index.shape() == expected, "gather", "index has shape {}, expected {} but for dim {}", index.shape(),
        x.shape(), dim);
  check_entries(index, x.shape()[dim] - 1, "gather", "index");
}

}  // namespace

Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index) {
  check_defined(x, "gather", "x");
  const std::int64_t d = wrap_dim(dim, x.rank(), "gather");
  check_index(x, d, index);
  const Tensor table = x.contiguous();
  const Tensor picks = index.contiguous();
  const Tensor y = empty(index.shape(), x.dtype());
  kernels::GatherParams params = params_for(x.shape(), d, picks);
  params.dtype = x.dtype();
  params.in = detail::raw(table);
  params.out = detail::raw_mutable(y);
  kernels::kernels_for(x).gather(params);
  if (!needs_grad(x)) return y;
  const auto gradient = [d, shape = x.shape(), picks = Saved(picks)](const Tensor& grad) {
    const Tensor result = zeros(shape, grad.dtype());
    const Tensor incoming = grad.contiguous();
    kernels::GatherParams back = params_for(shape, d, picks());
    back.dtype = grad.dtype();
    back.in = detail::raw(incoming);
    back.out = detail::raw_mutable(result);
    kernels::kernels_for(grad).scatter_add(back);
    return result;
  };
  return record("gather", y, {x}, gradient);
}

}  // namespace heed
