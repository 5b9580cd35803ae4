// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What was found, in the text of an Error.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace heed::python {

/// In quotes, and cut where it is long: an argument may be a whole file.
inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return "\"" + std::string(text) + "\"";
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;  // no part of a character
  return "\"" + std::string(text.substr(0, end)) + "...\" (" + std::to_string(text.size()) + " bytes)";
}

/// The class of an object, by its public name.
inline std::string kind_of(nanobind::handle object) {
  std::string name = nanobind::type_name(object.type()).c_str();
  for (const std::string_view hidden : {"_core.", "_nn.", "_optim."}) {
    if (const std::size_t at = name.find(hidden); name.starts_with("heed.") && at != name.npos) {
      name.erase(at, hidden == "_core." ? hidden.size() : 1);
    }
  }
  return name;
}

}  // namespace heed::python
