// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Elements between files and tensors.
#pragma once

#include "core/sink.h"
#include "io/layout.h"
#include "io/reader.h"

#include <heed/tensor.h>

namespace heed::io {

/// The next layout.bytes of `reader` as a new tensor in row-major order. The caller has checked that they are there. A
/// number that its dtype cannot hold, or a boolean other than 0 and 1, is an Error that names the element.
Tensor read_elements(Reader& reader, const Layout& layout);

/// The elements in row-major order, the least significant byte first.
void write_elements(Sink& sink, const Tensor& x);

}  // namespace heed::io
