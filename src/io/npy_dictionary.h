// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The part of Python's literals that .npy headers are written in.
#pragma once

#include "io/fault.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed::io {

struct NpyDictionary {
  std::string_view descr;  ///< part of the text that was parsed
  Place descr_place;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  Place shape_place;
};

/// `text` is the whole header up to its end, and starts at `place`.
NpyDictionary parse_npy_dictionary(std::string_view text, const Place& place);

}  // namespace heed::io
