// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/launch.h"
#include "ops/in_place.h"

namespace heed {

const Tensor& Tensor::fill_(Scalar value) const {
  check_target(*this, "fill_");
  fill_into(*this, value);
  return *this;
}

}  // namespace heed
