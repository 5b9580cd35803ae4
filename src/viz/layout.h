// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sizes in pixels that a figure is drawn in, and how wide its labels come out.
#pragma once

#include "viz/panels.h"

#include <string>
#include <vector>

namespace heed::viz {

inline constexpr int kFontSize = 14;
inline constexpr double kLineHeight = 20;

/// About how wide the text comes out.
double text_width(std::string_view text);

/// The longest label that is drawn along an axis, in columns.
inline constexpr int kLongestTick = 24;
/// The same for a title.
inline constexpr int kLongestTitle = 90;

/// Along one axis of a heatmap: what stands where, counted in rows or columns of the whole matrix.
struct AxisLabels {
  std::vector<std::string> texts;
  std::vector<double> places;  ///< of the texts
  bool turned = false;         ///< drawn upwards, because they would not fit side by side
  double extent = 0;           ///< away from the axis
};

struct HeatmapLayout {
  double width = 0, height = 0;              ///< of the picture
  double panel_width = 0, panel_height = 0;  ///< of the inside of a panel
  double left = 0, top = 0;                  ///< where the first panel begins
  double gap_x = 0, gap_y = 0;               ///< between panels
  double bar_x = 0, bar_width = 0;           ///< the colour bar
  AxisLabels x, y;
};

HeatmapLayout layout_of(const Heatmap& heatmap, const Panels& panels, const Canvas& canvas);

}  // namespace heed::viz
