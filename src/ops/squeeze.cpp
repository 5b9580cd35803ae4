// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

#include <heed/tensor.h>

namespace heed {

Tensor Tensor::squeeze(const Dims& dims) const {
  check_defined(*this, "squeeze", "tensor");
  const Dims chosen = wrap_dims(dims, rank(), "squeeze");
  for (std::int64_t dim : chosen) {
    check(shape()[dim] == 1, "squeeze", "dim {} of shape {} has size {}, expected 1", dim, shape(),
          shape()[dim]);
  }
  Shape rest;
  for (std::int64_t i = 0; i < rank(); ++i) {
    const bool dropped =
        chosen.empty() ? shape()[i] == 1 : std::find(chosen.begin(), chosen.end(), i) != chosen.end();
    if (!dropped) rest.push_back(shape()[i]);
  }
  return reshape(rest);
}

}  // namespace heed
