// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "ops/softmax_rows.h"

#include <heed/ops.h>

namespace heed {
namespace {

Tensor along(SoftmaxOp op, const char* name, const Tensor& x, std::int64_t dim) {
  check_floating(x, name, "x");
  const std::int64_t d = wrap_dim(dim, x.rank(), name);
  if (d != x.rank() - 1) return along(op, name, x.transpose(d, -1), -1).transpose(d, -1);
  const Tensor rows = x.contiguous();
  const Tensor y = softmax_rows(op, rows);
  if (!needs_grad(rows)) return y;
  return record(name, y, {rows},
                [op, y = Saved(y)](const Tensor& grad) { return softmax_rows_grad(op, y(), grad); });
}

}  // namespace

Tensor softmax(const Tensor& x, std::int64_t dim) { return along(SoftmaxOp::kSoftmax, "softmax", x, dim); }
Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  return along(SoftmaxOp::kLogSoftmax, "log_softmax", x, dim);
}

}  // namespace heed
