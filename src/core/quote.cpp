// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/quote.h"

#include <fmt/format.h>

#include <algorithm>

namespace heed {
namespace {

constexpr std::size_t kLongestQuote = 60;

std::string escaped(std::string_view text, std::size_t longest) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= longest) return out + "...";
    const std::size_t length = character_length(text);
    out += length > 0 ? std::string(text.substr(0, length))
                      : fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if ((byte(i) & 0xC0U) != 0x80U) return false;
    }
    return true;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  if (first >= 0xC2 && first < 0xE0) return continues(1, 2) && (first != 0xC2 || byte(1) >= 0xA0) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const unsigned code = (first & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool turns_text = (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                            (code >= 0x2066 && code <= 0x2069);
    return continues(1, 3) && code >= 0x800 && !surrogate && !turns_text ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    const bool in_range = (first != 0xF0 || byte(1) >= 0x90) && (first != 0xF4 || byte(1) < 0x90);
    return continues(1, 4) && in_range ? 4 : 0;
  }
  return 0;
}

std::string in_quotes(std::string_view text) { return "'" + escaped(text, kLongestQuote) + "'"; }

std::string printable(std::string_view text) { return escaped(text, std::string_view::npos); }

}  // namespace heed
