// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

#include <heed/tensor.h>

namespace heed {

Tensor Tensor::unsqueeze(std::int64_t dim) const {
  check_defined(*this, "unsqueeze", "tensor");
  check(rank() < kMaxRank, "unsqueeze", "shape {} already has the most dimensions, {}", shape(), kMaxRank);
  Shape longer = shape();
  longer.insert(wrap_dim(dim, rank() + 1, "unsqueeze"), 1);
  return reshape(longer);
}

}  // namespace heed
