// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "kernels/launch.h"
#include "ops/reduction.h"

namespace heed {

Tensor sum(const Tensor& x, const Dims& dims, KeepDims keep) {
  const Dims reduced = reduced_dims(x, dims, "sum");
  const Shape kept = kept_shape(x.shape(), reduced);
  const Tensor y = with_dims(reduce(ReduceOp::kSum, x, reduced), kept, keep);
  if (!needs_grad(x)) return y;
  return record("sum", y, {x},
                [kept, shape = x.shape()](const Tensor& grad) { return grad.reshape(kept).expand(shape); });
}

}  // namespace heed
