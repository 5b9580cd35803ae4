#pragma once

#include <heed/viz.h>

namespace heed::viz {

std::string heatmap_text(const Heatmap& heatmap, const Terminal& terminal);

}  // namespace heed::viz
