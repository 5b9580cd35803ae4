// A projection that keeps attend()'s promises, which a BLAS product does not: a row alone has the bits of the row in a
// batch, and any strides those of contiguous memory.
#pragma once

#include <heed/tensor.h>

namespace heed::detail {

/// x (..., D) and W (hidden, D) of one dtype -> (..., hidden), on the tape.
Tensor project(const Tensor& x, const Tensor& W);

}  // namespace heed::detail
