#pragma once

#include "core/replacement.h"

#include <heed/tensor.h>

#include <map>
#include <string>

namespace heed::io {

void write_npz(Replacement& file, const std::map<std::string, Tensor>& tensors, bool deflate);

}  // namespace heed::io
