// A figure as a script for gnuplot, apart from the format it is drawn in.
#pragma once

#include <heed/viz.h>

#include <string>

namespace heed::viz {

struct Script {
  double width = 0, height = 0;  ///< of the picture in pixels
  std::string commands;
};

Script script_of(const Heatmap& heatmap, const Canvas& canvas);
Script script_of(const Chart& chart, const Canvas& canvas);

}  // namespace heed::viz
