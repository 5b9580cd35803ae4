// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a reader says about a bad file: "load: x.npy: byte 8: header length: expected at most 65536, found 70000".
#pragma once

#include "core/check.h"
#include "core/quote.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

/// A place in a file. Inside a compressed archive bytes are counted from the start of the member, once unpacked.
struct Place {
  std::string_view file;
  std::uint64_t byte = 0;
};

/// Arguments are worked out even if all is well: what takes time to say belongs behind an if.
template <class... Args>
void check_at(bool holds, const Place& place, std::string_view field, fmt::format_string<Args...> format,
              Args&&... args) {
  if (!holds) [[unlikely]] {
    fail("load", fmt::format("{}: byte {}: {}: {}", place.file, place.byte, field,
                             fmt::format(format, std::forward<Args>(args)...)));
  }
}

/// Says what there is instead of `wanted`: "; did you mean 'keys'? There are 'keys', 'values'".
std::string what_there_is(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace heed::io
