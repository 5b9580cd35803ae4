// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "kernels/launch.h"
#include "ops/reduction.h"

namespace heed {
namespace {

Tensor extreme(ReduceOp op, const char* name, const Tensor& x, const Dims& dims, KeepDims keep) {
  const Dims reduced = nonempty_dims(x, dims, name);
  const Shape kept = kept_shape(x.shape(), reduced);
  const Tensor y = with_dims(reduce(op, x, reduced), kept, keep);
  if (!needs_grad(x)) return y;
  const auto gradient = [reduced, kept, x = Saved(x), y = Saved(y)](const Tensor& grad) {
    // Where NaN has won, the NaNs are the winners.
    const Tensor winner = logical_or(x() == y().reshape(kept), x() != x());
    const Tensor share = grad.reshape(kept) / reduce(ReduceOp::kSum, winner, reduced).reshape(kept);
    return select(winner, share, 0);
  };
  return record(name, y, {x}, gradient);
}

}  // namespace

Tensor max(const Tensor& x, const Dims& dims, KeepDims keep) {
  return extreme(ReduceOp::kMax, "max", x, dims, keep);
}
Tensor min(const Tensor& x, const Dims& dims, KeepDims keep) {
  return extreme(ReduceOp::kMin, "min", x, dims, keep);
}

}  // namespace heed
