// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "aligned.h"

#include <heed/viz.h>

#include <algorithm>
#include <cstddef>

namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(heed::viz::display_width(text));
}

}  // namespace

std::string aligned(const std::vector<TextColumn>& columns) {
  std::vector<std::size_t> widths;
  for (const TextColumn& column : columns) {
    std::size_t widest = 0;
    for (const std::string& cell : column.cells) widest = std::max(widest, width(cell));
    widths.push_back(widest);
  }
  std::string text;
  for (std::size_t row = 0; !columns.empty() && row < columns.front().cells.size(); ++row) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& cell = columns[c].cells[row];
      const std::string blanks(widths[c] - width(cell), ' ');
      line += (c == 0 ? "" : "  ") + (columns[c].align == CellAlign::kLeft ? cell + blanks : blanks + cell);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}
