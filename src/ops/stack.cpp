// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

#include <heed/ops.h>

#include <vector>

namespace heed {

Tensor stack(std::span<const Tensor> tensors, std::int64_t dim) {
  check(!tensors.empty(), "stack", "needs at least one tensor");
  std::vector<Tensor> slabs;
  slabs.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check_defined(tensors[i], "stack", fmt::format("tensors[{}]", i));
    check(tensors[i].shape() == tensors[0].shape(), "stack", "tensors[{}] has shape {}, tensors[0] has {}", i,
          tensors[i].shape(), tensors[0].shape());
    slabs.push_back(tensors[i].unsqueeze(wrap_dim(dim, tensors[i].rank() + 1, "stack")));
  }
  return cat(slabs, wrap_dim(dim, slabs[0].rank(), "stack"));
}

Tensor stack(std::initializer_list<Tensor> tensors, std::int64_t dim) {
  return stack(std::span(tensors.begin(), tensors.size()), dim);
}

}  // namespace heed
