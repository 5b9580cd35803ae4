// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "kernels/launch.h"
#include "ops/reduction.h"

namespace heed {

Tensor mean(const Tensor& x, const Dims& dims, KeepDims keep) {
  const Dims reduced = reduced_dims(x, dims, "mean");
  const Shape kept = kept_shape(x.shape(), reduced);
  const Tensor y = with_dims(reduce(ReduceOp::kMean, x, reduced), kept, keep);
  if (!needs_grad(x)) return y;
  std::int64_t count = 1;
  for (std::int64_t dim : reduced) count *= x.shape()[dim];
  return record("mean", y, {x}, [count, kept, shape = x.shape()](const Tensor& grad) {
    return (grad / count).reshape(kept).expand(shape);
  });
}

}  // namespace heed
