// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The header of a .safetensors file: its length in 8 bytes, then JSON that says where each tensor lies:
// {"weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"format": "pt"}}
#pragma once

#include "io/layout.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct SafetensorsEntry {
  std::string name;
  std::uint64_t header_byte = 0;  ///< where the header describes it
  Layout layout;
  std::uint64_t begin = 0;  ///< from the end of the header
  std::uint64_t end = 0;
};

/// The entries in the order of the header. `text` starts at `place`; what the entries say of the data is not checked
/// beyond each of them.
std::vector<SafetensorsEntry> parse_safetensors_header(std::string_view text, const Place& place);

/// Length and JSON, padded so that the data is aligned. Entries keep the order they are given in.
std::string safetensors_header(const std::vector<SafetensorsEntry>& entries);

}  // namespace heed::io
