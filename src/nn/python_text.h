// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Values as Python prints them, for the module tree.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace heed::nn {

inline const char* python_text(bool value) { return value ? "True" : "False"; }

/// The shortest text that reads back as the same number; whole numbers keep a ".0".
inline std::string python_text(double value) {
  std::string text = fmt::format("{}", value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace heed::nn
