// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"
#include "viz/chart_text.h"
#include "viz/heatmap_text.h"

#include "viz/paint.h"

#include <string_view>
#include <utility>

namespace heed::viz {
namespace {

/// The few characters beyond ASCII that pictures add by themselves, as their like.
std::string in_ascii(const std::string& text) {
  constexpr std::pair<std::string_view, char> kLike[] = {{"…", '~'}, {"×", 'x'}, {"→", '>'}, {"↓", 'v'}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    std::size_t length = 1;
    char character = text[at];
    for (const auto& [from, to] : kLike) {
      if (!rest.starts_with(from)) continue;
      length = from.size();
      character = to;
    }
    out += character;
    at += length;
  }
  return out;
}

}  // namespace

std::string text(const Figure& figure, const Terminal& terminal) {
  check(terminal.columns >= 20 && terminal.rows >= 1, "text",
        "terminal: expected at least 20 x 1, found {} x {}", terminal.columns, terminal.rows);
  Terminal able = terminal;
  if (!able.utf8 && able.ink == Ink::kShades) able.ink = Ink::kDigits;
  const auto* heatmap = std::get_if<Heatmap>(&figure);
  const std::string drawn =
      heatmap != nullptr ? heatmap_text(*heatmap, able) : chart_text(std::get<Chart>(figure), able);
  return has_all_characters(able) ? drawn : in_ascii(drawn);
}

}  // namespace heed::viz
