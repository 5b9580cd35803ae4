// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// "x.npz:keys": which file, and what in it.
#pragma once

#include <heed/io.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace heed::io {

/// By the end of the path.
std::optional<FileFormat> format_of(const std::string& path);
/// By the bytes a file starts with, nine of them if it has so many. What is none of the others is text.
FileFormat format_of_bytes(std::span<const std::byte> start);

struct Address {
  std::string path;  ///< "-" is the standard input
  std::optional<std::string> name;
};

/// The longest path of an existing file wins. If there is none, the path ends where a known format does.
Address parse_address(const std::string& text);

}  // namespace heed::io
