// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

namespace heed {

Tensor Tensor::to(Dtype wanted) const {
  check_defined(*this, "to", "tensor");
  if (wanted == dtype()) return *this;
  const Tensor y = contiguous_copy(*this, wanted);
  if (!is_floating(wanted) || !needs_grad(*this)) return y;
  return record("to", y, {*this}, [original = dtype()](const Tensor& grad) { return grad.to(original); });
}

}  // namespace heed
