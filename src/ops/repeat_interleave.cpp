// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

#include <heed/ops.h>

namespace heed {

Tensor repeat_interleave(const Tensor& x, std::int64_t repeats, std::int64_t dim) {
  check_defined(x, "repeat_interleave", "x");
  check(repeats >= 0, "repeat_interleave", "repeats must not be negative, found {}", repeats);
  const std::int64_t d = wrap_dim(dim, x.rank(), "repeat_interleave");
  check(x.rank() < kMaxRank, "repeat_interleave", "x has {} dimensions, expected at most {}", x.rank(),
        kMaxRank - 1);
  Shape repeated = x.shape();
  repeated.insert(d + 1, repeats);
  Shape merged = x.shape();
  merged[d] *= repeats;
  return x.unsqueeze(d + 1).expand(repeated).reshape(merged);
}

}  // namespace heed
