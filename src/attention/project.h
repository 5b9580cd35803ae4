// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A projection that keeps attend()'s promises, which a BLAS product does not: a row alone has the bits of the row in a
// batch, and any strides those of contiguous memory.
#pragma once

#include <heed/tensor.h>

namespace heed::detail {

enum class Overflow {
  kAllowed,    ///< sums may become infinite or NaN
  kRecovered,  ///< no NaN comes of it, and finite sums beyond the range are the largest number; without a bias
};

/// x (..., D), W (hidden, D) and bias (hidden), if defined, of one dtype -> x W^T + bias (..., hidden), on the tape.
Tensor project(const Tensor& x, const Tensor& W, const Tensor& bias = {},
               Overflow overflow = Overflow::kAllowed);

}  // namespace heed::detail
