// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Element types as Python programs name them.
#pragma once

#include <heed/dtype.h>

#include <nanobind/nanobind.h>

#include <optional>

namespace heed::python {

/// A heed.Dtype, the name of one ("f64", "float64"), or NumPy's, PyTorch's or Python's own type. Nothing for all others,
/// numbers among them.
std::optional<Dtype> to_dtype(nanobind::handle source);

/// The member of heed.Dtype.
nanobind::object from_dtype(Dtype dtype);

}  // namespace heed::python
