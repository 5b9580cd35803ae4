// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/ops.h>

namespace heed {
namespace {

struct Draw {
  double p = 0;
  std::uint64_t seed = 0, first = 0;
};

Tensor dropped(const Tensor& x, const Draw& draw) {
  const Tensor in = x.contiguous();
  const Tensor out = empty(x.shape(), x.dtype());
  kernels::DropoutParams params;
  params.dtype = x.dtype();
  params.count = x.numel();
  params.in = detail::raw(in);
  params.out = detail::raw_mutable(out);
  params.p = draw.p;
  params.seed = draw.seed;
  params.first = draw.first;
  kernels::kernels_for(x).dropout(params);
  return out;
}

}  // namespace

Tensor dropout(const Tensor& x, double p, Generator& generator) {
  check_floating(x, "dropout", "x");
  check(p >= 0 && p <= 1, "dropout", "p must lie in 0..1, found {}", p);
  if (p == 0) return x;
  const auto blocks = static_cast<std::uint64_t>((x.numel() + 3) / 4);
  const Draw draw{p, generator.seed(), generator.advance(blocks)};
  const Tensor y = dropped(x.detach(), draw);
  if (!needs_grad(x)) return y;
  // The same numbers are drawn again, so that no mask is kept.
  return record("dropout", y, {x}, [draw](const Tensor& grad) { return dropped(grad, draw); });
}

}  // namespace heed
