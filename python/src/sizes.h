// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sizes as people give them: zeros(2, 3) or zeros((2, 3)).
#pragma once

#include <heed/shape.h>

#include <nanobind/nanobind.h>

namespace heed::python {

/// From positional arguments that are integers, or one sequence of them. A TypeError that begins with `where` otherwise:
/// booleans are no sizes.
Shape sizes_of(const nanobind::args& given, const char* where);

}  // namespace heed::python
