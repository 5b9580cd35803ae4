// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "ops/softmax_rows.h"

#include <heed/ops.h>

namespace heed {
namespace {

Tensor over_last(const Tensor& x) {
  const Tensor rows = x.contiguous();
  const Tensor y = softmax_rows(SoftmaxOp::kLogSumExp, rows);
  if (!needs_grad(rows)) return y;
  return record("logsumexp", y, {rows}, [rows = Saved(rows)](const Tensor& grad) {
    // The masked form: a row of -inf has no direction to grow in, so its gradient is 0 and not NaN.
    return grad.unsqueeze(-1) * softmax_rows(SoftmaxOp::kMaskedSoftmax, rows());
  });
}

}  // namespace

Tensor logsumexp(const Tensor& x, std::int64_t dim, KeepDims keep) {
  check_floating(x, "logsumexp", "x");
  const std::int64_t d = wrap_dim(dim, x.rank(), "logsumexp");
  if (d == x.rank() - 1) {
    const Tensor y = over_last(x);
    return keep == KeepDims::kYes ? y.unsqueeze(-1) : y;
  }
  const Tensor y = over_last(x.transpose(d, -1)).unsqueeze(-1).transpose(d, -1);
  return keep == KeepDims::kYes ? y : y.squeeze(d);
}

}  // namespace heed
