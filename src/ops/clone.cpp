// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

namespace heed {

Tensor Tensor::clone() const {
  check_defined(*this, "clone", "tensor");
  const Tensor y = contiguous_copy(*this);
  if (!needs_grad(*this)) return y;
  return record("clone", y, {*this}, [](const Tensor& grad) { return grad; });
}

Tensor Tensor::contiguous() const { return is_contiguous() ? *this : clone(); }

}  // namespace heed
