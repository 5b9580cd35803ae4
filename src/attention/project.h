// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A projection that keeps attend()'s promises, which a BLAS product does not: a row alone has the bits of the row in a
// batch, and any strides those of contiguous memory.
#pragma once

#include <heed/tensor.h>

namespace heed::detail {

/// x (..., D), W (hidden, D) and bias (hidden), if defined, of one dtype -> x W^T + bias (..., hidden), on the tape.
Tensor project(const Tensor& x, const Tensor& W, const Tensor& bias = {});

}  // namespace heed::detail
