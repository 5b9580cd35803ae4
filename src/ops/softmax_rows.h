// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The softmax kernels on the last dim of a contiguous tensor, off the tape.
#pragma once

#include "kernels/params.h"

#include <heed/tensor.h>

namespace heed {

using kernels::SoftmaxOp;

/// What kMaskedSoftmax looks at; both undefined: everything. Contiguous, over all rows.
struct RowMask {
  Tensor allowed = {};  ///< boolean, x's shape
  Tensor lens = {};     ///< i64, x's shape without the last dim
};

Tensor softmax_rows(SoftmaxOp op, const Tensor& x, const RowMask& mask = {});
/// x is read for kMaskedSoftmax alone and may be undefined otherwise.
Tensor softmax_rows_grad(SoftmaxOp op, const Tensor& y, const Tensor& grad, const Tensor& x = {},
                         const RowMask& mask = {});

}  // namespace heed
