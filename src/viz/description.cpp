// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/curves.h"
#include "viz/label.h"
#include "viz/layout.h"
#include "viz/panels.h"

#include <fmt/format.h>

namespace heed::viz {
namespace {

constexpr std::int64_t kAllCells = std::int64_t{1} << 20;

std::string in_title(const std::string& title) {
  return title.empty() ? "" : label(title, kLongestTitle) + ": ";
}

std::string of(const Heatmap& heatmap) {
  const Panels panels = panels_of(heatmap, kAllCells, kAllCells);
  const std::int64_t count = panels.rows * panels.columns;
  return fmt::format("{}heatmap{} of {} × {} values from {:.4g} to {:.4g}", in_title(heatmap.title),
                     count == 1 ? "" : fmt::format("s, {} panels", count), panels.whole[0], panels.whole[1],
                     panels.range.low, panels.range.high);
}

std::string of(const Chart& chart) {
  const Curves curves = curves_of(chart);
  std::string names;
  for (const Curve& curve : curves.all) {
    if (!curve.name.empty()) names += (names.empty() ? " of " : ", ") + label(curve.name, kLongestTick);
  }
  return fmt::format("{}chart{}, x from {:.4g} to {:.4g}, y from {:.4g} to {:.4g}", in_title(chart.title),
                     names, curves.x.low, curves.x.high, curves.y.low, curves.y.high);
}

}  // namespace

std::string description(const Figure& figure) {
  return std::visit([](const auto& f) { return of(f); }, figure);
}

}  // namespace heed::viz
