// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The records at the end of a ZIP archive.
#pragma once

#include "io/source.h"

#include <cstdint>

namespace heed::io::zip {

struct Directory {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t members = 0;
};

/// Where the directory lies; it ends where the first of these records starts.
Directory read_end(const Source& source);

}  // namespace heed::io::zip
