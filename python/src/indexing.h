// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// x[i, 1:3, ..., None] as Python writes it.
#pragma once

#include <heed/tensor.h>

#include <nanobind/nanobind.h>

namespace heed::python {

/// A view of x. An IndexError if a position is out of range, a TypeError if an index is no integer, slice, None or `...`.
Tensor index(const Tensor& x, nanobind::handle indices);

}  // namespace heed::python
