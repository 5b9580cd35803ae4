// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What reductions share: which dims, and the shapes with and without them.
#pragma once

#include <heed/ops.h>

#include <string_view>

namespace heed {

/// `dims` wrapped; all of them where none are given.
Dims reduced_dims(const Tensor& x, const Dims& dims, std::string_view op);
/// As reduced_dims; a dimension without elements is an Error.
Dims nonempty_dims(const Tensor& x, const Dims& dims, std::string_view op);

/// x's shape with the reduced dims as 1.
Shape kept_shape(const Shape& shape, const Dims& dims);
/// The reduced tensor as the caller wants it.
Tensor with_dims(const Tensor& reduced, const Shape& kept, KeepDims keep);

}  // namespace heed
