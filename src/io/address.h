// "x.npz:keys": which file, and what in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed::io {

enum class Format : std::uint8_t { kNpy, kNpz, kSafetensors, kCsv };

/// By the end of the path.
std::optional<Format> format_of(const std::string& path);

struct Address {
  std::string path;  ///< "-" is the standard input
  std::optional<std::string> name;
};

/// The longest path of an existing file wins. If there is none, the path ends where a known format does.
Address parse_address(const std::string& text);

}  // namespace heed::io
