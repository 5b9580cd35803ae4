// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Columns of text side by side, as a terminal shows them.
#pragma once

#include <string>
#include <vector>

/// Right-aligned, as numbers are, or left-aligned, as names are.
enum class CellAlign : bool { kRight, kLeft };

struct TextColumn {
  std::vector<std::string> cells;  ///< fit to be shown; the name first
  CellAlign align = CellAlign::kRight;
};

/// Two blanks between columns, which are as wide as their widest cell; a Chinese character takes two places.
std::string aligned(const std::vector<TextColumn>& columns);
