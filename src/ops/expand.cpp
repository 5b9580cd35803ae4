// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/broadcasting.h"

namespace heed {

Tensor Tensor::expand(const Shape& wanted) const {
  check_defined(*this, "expand", "tensor");
  check(wanted.rank() >= rank(), "expand", "{} has fewer dimensions than shape {}", wanted, shape());
  const std::int64_t lead = wanted.rank() - rank();
  Shape target = wanted;
  for (std::int64_t i = 0; i < target.rank(); ++i) {
    const bool keeps = target[i] == -1 && i >= lead;
    if (keeps) target[i] = shape()[i - lead];
    const bool fits = i < lead || shape()[i - lead] == 1 || shape()[i - lead] == target[i];
    check(target[i] >= 0 && fits, "expand", "shape {} does not expand to {}", shape(), wanted);
  }
  if (target == shape()) return *this;
  const Tensor y = detail::make_view(*this, {target, detail::broadcast_strides(*this, target), 0});
  if (!needs_grad(*this)) return y;
  return record("expand", y, {*this},
                [original = shape()](const Tensor& grad) { return sum_to(grad, original); });
}

}  // namespace heed
