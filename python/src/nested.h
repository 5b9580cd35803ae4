// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Numbers in nested Python lists: [[1, 2], [3, 4]].
#pragma once

#include <heed/tensor.h>

#include <nanobind/nanobind.h>

#include <optional>

namespace heed::python {

/// A new tensor. Without a dtype: boolean or i64 if all are such numbers, else f32. A TypeError that begins with `where` if
/// something else is among them.
Tensor from_nested(nanobind::handle value, const char* where, std::optional<Dtype> dtype);

/// The same as f64, or i64 if all are whole numbers that i64 has: nothing is rounded.
Tensor from_nested_exactly(nanobind::handle value, const char* where);

/// The way back: nested lists, or a number.
nanobind::object to_nested(const Tensor& x);

}  // namespace heed::python
