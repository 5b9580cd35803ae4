// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"
#include "ops/index_checks.h"

#include <heed/ops.h>

namespace heed {

Tensor embedding(const Tensor& table, const Tensor& indices) {
  check_defined(table, "embedding", "table");
  check(table.rank() == 2, "embedding", "table must be (N, D), found {}", table.shape());
  check_dtype(indices, i64, "embedding", "indices");
  check_entries(indices, table.size(0) - 1, "embedding", "indices");
  const Tensor rows = table.contiguous();
  const Tensor picks = indices.contiguous();
  Shape shape = indices.shape();
  shape.push_back(table.size(1));
  const Tensor y = empty(shape, table.dtype());
  kernels::RowsParams params;
  params.dtype = table.dtype();
  params.count = picks.numel();
  params.row = table.size(1);
  params.index = picks.data<std::int64_t>();
  params.in = detail::raw(rows);
  params.out = detail::raw_mutable(y);
  kernels::kernels_for(table).gather_rows(params);
  if (!needs_grad(table)) return y;
  const auto gradient = [shape = table.shape(), picks = Saved(picks)](const Tensor& grad) {
    const Tensor result = zeros(shape, grad.dtype());
    const Tensor incoming = grad.contiguous();
    kernels::RowsParams back;
    back.dtype = grad.dtype();
    back.count = picks().numel();
    back.row = shape[1];
    back.index = picks().data<std::int64_t>();
    back.in = detail::raw(incoming);
    back.out = detail::raw_mutable(result);
    kernels::kernels_for(grad).scatter_add_rows(back);
    return result;
  };
  return record("embedding", y, {table}, gradient);
}

}  // namespace heed
