#include "core/check.h"
#include "viz/chart_text.h"
#include "viz/heatmap_text.h"

namespace heed::viz {

std::string text(const Figure& figure, const Terminal& terminal) {
  check(terminal.columns >= 20 && terminal.rows >= 1, "text",
        "terminal: expected at least 20 x 1, found {} x {}", terminal.columns, terminal.rows);
  if (const auto* heatmap = std::get_if<Heatmap>(&figure)) return heatmap_text(*heatmap, terminal);
  return chart_text(std::get<Chart>(figure), terminal);
}

}  // namespace heed::viz
