// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/launch.h"
#include "ops/in_place.h"

namespace heed {

const Tensor& Tensor::copy_(const Tensor& source) const {
  check_target(*this, source, "copy_");
  copy_into(*this, safe_source(source, *this));
  return *this;
}

}  // namespace heed
