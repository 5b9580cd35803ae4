// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// .npy: one tensor.
#pragma once

#include "core/sink.h"
#include "io/reader.h"

#include <heed/tensor.h>

namespace heed::io {

Tensor read_npy(const Source& source);
/// From a member of an archive.
Tensor read_npy(Reader& reader);

void write_npy(Sink& sink, const Tensor& x);

}  // namespace heed::io
