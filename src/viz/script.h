// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A figure as a script for gnuplot, apart from the format it is drawn in.
#pragma once

#include <heed/viz.h>

#include <string>

namespace heed::viz {

/// How small cells are drawn: one by one they stay sharp however far the picture is enlarged; as an image there are no
/// seams between them.
enum class CellStyle : std::uint8_t { kShapes, kImage };

struct Script {
  double width = 0, height = 0;  ///< of the picture in pixels
  std::string commands;
};

Script script_of(const Heatmap& heatmap, const Canvas& canvas, CellStyle style);
Script script_of(const Chart& chart, const Canvas& canvas);

}  // namespace heed::viz
