// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The header of a .npy file: magic, version, length, and a Python dictionary as text, such as
// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
#pragma once

#include "io/layout.h"
#include "io/reader.h"

#include <heed/tensor.h>

#include <string>

namespace heed::io {

/// Reads up to the first element. Versions 1 to 3; a header beyond 64 KiB, a dtype that is not one of ours, and
/// anything numpy would not write is an Error.
Layout read_npy_header(Reader& reader);

/// Magic to the end of the header, of version 1, for the elements of x in row-major order.
std::string npy_header(const Tensor& x);

/// The bytes every .npy file starts with.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

}  // namespace heed::io
