// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/legend.h"

#include "viz/colours.h"
#include "viz/gnuplot.h"
#include "viz/label.h"
#include "viz/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heed::viz {
namespace {

constexpr int kLongestEntry = 40;
constexpr double kSampleWidth = 30, kApart = 6, kBetween = 18, kEdge = 8;

struct Entry {
  std::size_t series;
  std::string text;
  double width;
};

/// Rows of entries that fit side by side.
std::vector<std::vector<Entry>> rows_of(const Curves& curves, double room) {
  std::vector<std::vector<Entry>> rows;
  double used = room;
  for (std::size_t i = 0; i < curves.all.size(); ++i) {
    if (curves.all[i].name.empty()) continue;
    const int columns =
        std::clamp(static_cast<int>((room - kSampleWidth - kApart) / text_width("x")), 3, kLongestEntry);
    Entry entry{.series = i, .text = label(curves.all[i].name, columns), .width = 0};
    entry.width = kSampleWidth + kApart + text_width(entry.text);
    if (rows.empty() || used + kBetween + entry.width > room) {
      rows.emplace_back();
      used = -kBetween;
    }
    used += kBetween + entry.width;
    rows.back().push_back(std::move(entry));
  }
  return rows;
}

double width_of(const std::vector<Entry>& row) {
  double width = -kBetween;
  for (const Entry& entry : row) width += kBetween + entry.width;
  return width;
}

/// A piece of what the series looks like, in the middle of (x, y) to (x + kSampleWidth, y); a share of the picture each.
std::string sample_of(const Curves& curves, std::size_t series, double x, double x_end, double y,
                      double half_height) {
  const Curve& curve = curves.all[series];
  const std::string colour = hex(series_colour(series));
  if (!curve.upper.empty()) {
    return fmt::format(
        "set object rectangle from screen {:.6f},{:.6f} to screen {:.6f},{:.6f} fillcolor rgb '{}' fillstyle "
        "transparent solid 0.25 noborder\n",
        x, y - half_height, x_end, y + half_height, colour);
  }
  if (curve.style == Series::Style::kPoints) {
    return fmt::format(
        "set label \"\" at screen {:.6f},{:.6f} point pointtype 7 pointsize 0.6 linecolor rgb '{}'\n",
        (x + x_end) / 2, y, colour);
  }
  return fmt::format(
      "set arrow from screen {:.6f},{:.6f} to screen {:.6f},{:.6f} nohead linewidth 2.2 dashtype {} "
      "linecolor rgb '{}'\n",
      x, y, x_end, y, dashes_of(curves, series), colour);
}

}  // namespace

double legend_height(const Curves& curves, double width) {
  return static_cast<double>(rows_of(curves, width - 2 * kEdge).size()) * kLineHeight;
}

Legend legend_of(const Curves& curves, double width, double height, double top) {
  Legend legend;
  for (const std::vector<Entry>& row : rows_of(curves, width - 2 * kEdge)) {
    double x = std::max((width - width_of(row)) / 2, kEdge);
    const double y = 1 - (top + legend.height + kLineHeight / 2) / height;
    for (const Entry& entry : row) {
      legend.commands +=
          sample_of(curves, entry.series, x / width, (x + kSampleWidth) / width, y, 6 / height);
      legend.commands += fmt::format("set label {} at screen {:.6f},{:.6f} left noenhanced\n",
                                     quoted(entry.text), (x + kSampleWidth + kApart) / width, y);
      x += entry.width + kBetween;
    }
    legend.height += kLineHeight;
  }
  return legend;
}

std::string dashes_of(const Curves& curves, std::size_t series) {
  static constexpr std::array<const char*, 4> kDashes = {"1", "(18,5)", "(12,4,3,4)", "(3,4)"};
  if (curves.all[series].style == Series::Style::kDashes) return "(8,6)";
  std::size_t before = 0;
  for (std::size_t i = 0; i < series; ++i) {
    const Curve& curve = curves.all[i];
    before += curve.upper.empty() && curve.style == Series::Style::kLine ? 1 : 0;
  }
  return kDashes[before % kDashes.size()];
}

}  // namespace heed::viz
