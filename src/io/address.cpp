// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/address.h"

#include "io/npy_header.h"

#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

namespace heed::io {
namespace {

constexpr std::pair<std::string_view, FileFormat> kFormats[] = {{".npy", FileFormat::kNpy},
                                                                {".npz", FileFormat::kNpz},
                                                                {".safetensors", FileFormat::kSafetensors},
                                                                {".csv", FileFormat::kCsv}};

bool exists(const std::string& path) {
  std::error_code problem;
  return std::filesystem::exists(path, problem);
}

Address split(const std::string& text, std::size_t colon) {
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

std::optional<FileFormat> format_of(const std::string& path) {
  std::string lower = path;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [suffix, format] : kFormats) {
    if (lower.ends_with(suffix)) return format;
  }
  return std::nullopt;
}

FileFormat format_of_bytes(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (text.starts_with(kNpyMagic)) return FileFormat::kNpy;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return FileFormat::kNpz;
  // A header's length below 2^32, then an opening brace.
  const bool short_header = text.size() >= 9 && text.substr(4, 4) == std::string_view("\0\0\0\0", 4);
  return short_header && text[8] == '{' ? FileFormat::kSafetensors : FileFormat::kCsv;
}

Address parse_address(const std::string& text) {
  if (text == "-") return {text, std::nullopt};
  if (text.starts_with("-:")) return split(text, 1);
  if (exists(text)) return {text, std::nullopt};
  for (std::size_t colon = text.rfind(':'); colon != std::string::npos && colon > 0;
       colon = text.rfind(':', colon - 1)) {
    if (exists(text.substr(0, colon))) return split(text, colon);
  }
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    if (format_of(text.substr(0, colon))) return split(text, colon);
  }
  return {text, std::nullopt};
}

}  // namespace heed::io
