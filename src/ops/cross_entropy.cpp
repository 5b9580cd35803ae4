// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"
#include "ops/index_checks.h"

#include <heed/ops.h>

namespace heed {

Tensor cross_entropy(const Tensor& logits, const Tensor& target) {
  check_floating(logits, "cross_entropy", "logits");
  check_dtype(target, i64, "cross_entropy", "target");
  check(logits.rank() == 2, "cross_entropy", "logits must be (N, C), found {}", logits.shape());
  check(target.shape() == Shape{logits.size(0)}, "cross_entropy",
        "target has shape {}, expected ({},) for logits {}", target.shape(), logits.size(0), logits.shape());
  check_entries(target, logits.size(1) - 1, "cross_entropy", "target");
  return -mean(gather(log_softmax(logits, 1), 1, target.unsqueeze(1)));
}

}  // namespace heed
