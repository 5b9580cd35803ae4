// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "ops/broadcasting.h"
#include "ops/index_checks.h"
#include "ops/softmax_rows.h"

#include <heed/ops.h>

namespace heed {
namespace {

Tensor masked(const char* op, const Tensor& scores, const RowMask& mask) {
  const Tensor x = scores.contiguous();
  const Tensor y = softmax_rows(SoftmaxOp::kMaskedSoftmax, x, mask);
  if (!needs_grad(x)) return y;
  const auto gradient = [x = Saved(x), y = Saved(y), allowed = Saved(mask.allowed),
                         lens = Saved(mask.lens)](const Tensor& grad) {
    return softmax_rows_grad(SoftmaxOp::kMaskedSoftmax, y(), grad, x(), {allowed(), lens()});
  };
  return record(op, y, {x}, gradient);
}

/// One length per row of scores (B, Lq, Lk), given one per batch or one per row.
Tensor lens_per_row(const Tensor& scores, const Tensor& lens) {
  Shape rows = scores.shape();
  rows.erase(rows.rank() - 1);
  const bool per_row = lens.shape() == rows;
  const bool per_batch = rows.rank() == 2 && lens.shape() == Shape{rows[0]};
  check(per_row || per_batch, "masked_softmax", "valid_lens has shape {}, expected {} for scores {}",
        lens.shape(), rows.rank() == 2 ? fmt::format("({},) or {}", rows[0], rows) : to_string(rows),
        scores.shape());
  return (per_row ? lens : lens.unsqueeze(1).expand(rows)).contiguous();
}

}  // namespace

Tensor masked_softmax(const Tensor& scores, const Tensor& valid_lens) {
  check_floating(scores, "masked_softmax", "scores");
  check(scores.rank() == 2 || scores.rank() == 3, "masked_softmax",
        "scores must be (B, Lq, Lk) or (Lq, Lk), found {}", scores.shape());
  if (!valid_lens.defined()) return masked("masked_softmax", scores, {});
  check_dtype(valid_lens, i64, "masked_softmax", "valid_lens");
  const Tensor lens = lens_per_row(scores, valid_lens);
  check_entries(valid_lens, scores.size(-1), "masked_softmax", "valid_lens");
  return masked("masked_softmax", scores, {.lens = lens});
}

Tensor masked_softmax_where(const Tensor& scores, const Tensor& mask) {
  check_floating(scores, "masked_softmax_where", "scores");
  check_dtype(mask, boolean, "masked_softmax_where", "mask");
  check(scores.rank() >= 1, "masked_softmax_where", "scores must have a dimension at least");
  check_broadcast(scores.shape(), mask.shape(), "masked_softmax_where");
  check(broadcast_shapes(scores.shape(), mask.shape()) == scores.shape(), "masked_softmax_where",
        "mask {} does not broadcast to scores {}", mask.shape(), scores.shape());
  return masked("masked_softmax_where", scores, {.allowed = mask.expand(scores.shape()).contiguous()});
}

}  // namespace heed
