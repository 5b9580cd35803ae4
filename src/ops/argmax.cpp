// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/launch.h"
#include "ops/reduction.h"

namespace heed {

Tensor argmax(const Tensor& x, std::int64_t dim, KeepDims keep) {
  const Dims reduced = nonempty_dims(x, dim, "argmax");
  return with_dims(reduce(ReduceOp::kArgMax, x, reduced), kept_shape(x.shape(), reduced), keep);
}

}  // namespace heed
