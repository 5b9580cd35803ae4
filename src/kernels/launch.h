// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// From tensors to parameter structs: allocate the result, fill the struct, call the kernel. No tape here.
#pragma once

#include "kernels/params.h"

#include <heed/scalar.h>
#include <heed/tensor.h>

namespace heed {

using kernels::BinaryOp;
using kernels::ReduceOp;
using kernels::UnaryOp;

/// New contiguous tensor op(x).
Tensor unary(UnaryOp op, const Tensor& x);
/// New contiguous tensor op(a, b), broadcast; a and b of one dtype.
Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b);
Tensor binary(BinaryOp op, const Tensor& a, Scalar b);
Tensor binary(BinaryOp op, Scalar a, const Tensor& b);
/// condition ? a : b, broadcast; a and b of one dtype.
Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor select(const Tensor& condition, const Tensor& a, Scalar b);
Tensor select(const Tensor& condition, Scalar a, const Tensor& b);
/// Reduction over `dims` (wrapped, none repeated); the result has those dims removed.
Tensor reduce(ReduceOp op, const Tensor& x, const Dims& dims);

/// target = source, broadcast and converted.
void copy_into(const Tensor& target, const Tensor& source);
void fill_into(const Tensor& target, Scalar value);
/// target += alpha * source, broadcast; one dtype.
void add_into(const Tensor& target, const Tensor& source, double alpha);
/// New contiguous tensor with x's elements, off the tape.
Tensor contiguous_copy(const Tensor& x);
Tensor contiguous_copy(const Tensor& x, Dtype dtype);
Tensor add_same_shape(const Tensor& a, const Tensor& b);

}  // namespace heed
