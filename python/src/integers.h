// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Arrays of integers of other widths than 64 bits, which the library does not have.
#pragma once

#include <heed/tensor.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace heed::python {

/// Where element n in row-major order lies, in elements.
std::int64_t offset_of(std::int64_t n, const Shape& shape, const Strides& strides);

/// An Error that says which entry of x is no whole number of 64 bits, and what was found.
[[noreturn]] void refuse_entry(const Tensor& x, std::size_t n, nanobind::handle found, const char* where);

/// Makes a copy as i64 of integers that lie at any address.
using Widen = Tensor (*)(const std::byte* data, const Shape& shape, const std::optional<Strides>& strides,
                         const char* where);

/// How integers of this type become i64; null if they are none, or are i64.
Widen widening(const nanobind::dlpack::dtype& dtype);

}  // namespace heed::python
