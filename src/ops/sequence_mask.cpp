// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"
#include "ops/index_checks.h"

#include <heed/ops.h>

namespace heed {

Tensor sequence_mask(const Tensor& x, const Tensor& valid_lens, Scalar value) {
  check_defined(x, "sequence_mask", "x");
  check_dtype(valid_lens, i64, "sequence_mask", "valid_lens");
  check(x.rank() >= 2, "sequence_mask", "x must be (N, L, ...), found {}", x.shape());
  check(valid_lens.shape() == Shape{x.size(0)}, "sequence_mask",
        "valid_lens has shape {}, expected ({},) for x {}", valid_lens.shape(), x.size(0), x.shape());
  check_entries(valid_lens, x.size(1), "sequence_mask", "valid_lens");
  Shape broadcast = Shape::filled(x.rank(), 1);
  broadcast[0] = x.size(0);
  broadcast[1] = x.size(1);
  const Tensor keep = (arange(x.size(1), i64) < valid_lens.unsqueeze(1)).reshape(broadcast);
  const Tensor y = select(keep, x, value);
  if (!needs_grad(x)) return y;
  return record("sequence_mask", y, {x},
                [keep = Saved(keep)](const Tensor& grad) { return select(keep(), grad, 0); });
}

}  // namespace heed
