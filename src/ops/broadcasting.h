// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What binary operations share: a common dtype going in, and gradients brought back to each operand's shape.
#pragma once

#include <heed/tensor.h>

#include <string_view>
#include <utility>

namespace heed {

/// grad summed over what was broadcast from `shape`, so that it has `shape`.
Tensor sum_to(const Tensor& grad, const Shape& shape);

/// An Error naming `op` unless the shapes broadcast.
void check_broadcast(const Shape& a, const Shape& b, std::string_view op);

/// Both operands in their common dtype (on the tape, so that gradients are converted back), their shapes checked.
/// Two booleans meet in i64: arithmetic counts them.
std::pair<Tensor, Tensor> promoted(const Tensor& a, const Tensor& b, std::string_view op);
/// x in the dtype of `x op value`: an integer tensor meets a floating number in f32.
Tensor promoted(const Tensor& x, Scalar value, std::string_view op);

}  // namespace heed
