// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/output_file.h"

#include <heed/tensor.h>

#include <map>
#include <string>

namespace heed::io {

void write_npz(OutputFile& file, const std::map<std::string, Tensor>& tensors, bool deflate);

}  // namespace heed::io
