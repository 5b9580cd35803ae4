// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "core/sink.h"

#include <heed/tensor.h>

#include <map>
#include <string>

namespace heed::io {

void write_safetensors(Sink& sink, const std::map<std::string, Tensor>& tensors);

}  // namespace heed::io
