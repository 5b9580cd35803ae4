// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The cells of a heatmap's panel as data for gnuplot.
#pragma once

#include "viz/panels.h"

#include <string>

namespace heed::viz {

inline constexpr int kNumberSize = 11;  ///< of the numbers in cells

/// Whether every number has room in a cell of so many pixels.
bool numbers_fit(const Panels& panels, double cell_width, double cell_height);

/// Data blocks named after the panel, and what plots them.
struct CellData {
  std::string blocks;
  std::string plots;  ///< behind the image, each after a comma
};

/// The block $panelN holds the image; others hold cells without a number, masked cells, and the numbers in cells.
CellData cell_data(const Panels& panels, std::int64_t panel, bool with_numbers);

}  // namespace heed::viz
