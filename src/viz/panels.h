// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A heatmap, checked and brought into one form for all that draw it: panels of at most so many cells.
#pragma once

#include <heed/viz.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heed::viz {

struct Panels {
  std::int64_t rows = 1, columns = 1;  ///< of panels
  std::int64_t height = 1, width = 1;  ///< of a panel, in cells
  Shape whole = {};                    ///< (Lq, Lk) of the matrices behind the panels
  Interval range = {};                 ///< low < high, both finite
  Colours colours = Colours::kReds;
  /// Row by row, the cells of each row by row; within `range`, or NaN where there is no number or a mask.
  std::vector<std::vector<double>> cells = {};
  /// For each panel, which cells have nothing but masked pairs in them; without panels if there is no mask.
  std::vector<std::vector<bool>> masked = {};
  std::vector<double> query_places = {}, key_places = {};  ///< what rows and columns stand for, if they do

  bool is_masked(std::int64_t panel, std::size_t cell) const {
    return !masked.empty() && masked[static_cast<std::size_t>(panel)][cell];
  }
  bool is_reduced() const noexcept { return whole != Shape{height, width}; }
};

/// How far up in the range a value lies, from 0 to 1.
inline double level(const Panels& panels, double value) {
  return (value - panels.range.low) / (panels.range.high - panels.range.low);
}

/// Throws an Error that names the field of the heatmap that is wrong.
Panels panels_of(const Heatmap& heatmap, std::int64_t most_rows, std::int64_t most_columns);

/// The title of a panel; empty if it has none.
std::string panel_title(const Heatmap& heatmap, const Panels& panels, std::int64_t panel);

/// "2000 × 2000 drawn as 40 × 40" if cells stand for several numbers; empty if for one each.
std::string reduction_note(const Panels& panels);

}  // namespace heed::viz
