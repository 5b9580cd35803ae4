// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/fault.h"

#include <heed/suggest.h>

#include <algorithm>

namespace heed::io {
namespace {

constexpr std::size_t kMostNames = 20;

}  // namespace

std::string what_there_is(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string near = nearest_name(wanted, names);
  std::string text = near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near));
  if (names.empty()) return text + "; there are none";
  text += near.empty() ? "; there are " : " There are ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  }
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace heed::io
