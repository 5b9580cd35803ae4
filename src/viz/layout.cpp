// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/layout.h"

#include "viz/label.h"
#include "viz/ticks.h"

#include <algorithm>
#include <cmath>

namespace heed::viz {
namespace {

constexpr double kMargin = 12;
constexpr double kBarWidth = 14;
constexpr double kBarGap = 16;
constexpr double kBarLabels = 56;

/// A panel's inside when nobody asked for a size: cells are square unless that makes a sliver.
struct Size {
  double width, height;
};
Size natural_size(const Heatmap& heatmap, const Panels& panels) {
  const auto cells = static_cast<double>(std::max(panels.whole[0], panels.whole[1]));
  double longest =
      panels.rows * panels.columns == 1 ? 380 : std::max(130.0, 640.0 / static_cast<double>(panels.columns));
  longest = std::min(longest, std::max(cells * 60, 130.0));
  // Names are there to be read.
  const auto named = static_cast<double>(std::max(heatmap.queries.size(), heatmap.keys.size()));
  longest = std::max(longest, std::min(named * kLineHeight, 720.0));
  const double aspect =
      std::clamp(static_cast<double>(panels.whole[1]) / static_cast<double>(panels.whole[0]), 0.4, 5.0);
  return aspect >= 1 ? Size{longest, longest / aspect} : Size{longest * aspect, longest};
}

double widest(const std::vector<std::string>& texts) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(text));
  return width;
}

/// What stands for rows or columns: names, or numbers, or else their index.
struct Marks {
  const std::vector<std::string>& names;
  const std::vector<double>& places;
  std::int64_t length;

  std::string text(std::int64_t i) const {
    return names.empty() ? std::to_string(i) : label(names[static_cast<std::size_t>(i)], kLongestTick);
  }
  double widest_name() const {
    double width = 0;
    for (const std::string& name : names) width = std::max(width, text_width(label(name, kLongestTick)));
    return width;
  }
};

/// Where among rising numbers this one would lie: 1.5 halfway from the second to the third.
double place_among(const std::vector<double>& numbers, double value) {
  const auto above = std::ranges::upper_bound(numbers, value);
  if (above == numbers.begin()) return 0;
  if (above == numbers.end()) return static_cast<double>(numbers.size() - 1);
  const double below = *(above - 1);
  return static_cast<double>(above - 1 - numbers.begin()) + (value - below) / (*above - below);
}

/// Round numbers where they lie among those that the rows or columns stand for.
AxisLabels number_labels(const std::vector<double>& numbers, int most) {
  AxisLabels axis;
  if (numbers.front() == numbers.back()) {
    axis.texts = tick_labels({numbers.front()});
    axis.places = {0};
    return axis;
  }
  const std::vector<double> found = ticks({numbers.front(), numbers.back()}, std::max(most, 2));
  axis.texts = tick_labels(found);
  for (const double tick : found) axis.places.push_back(place_among(numbers, tick));
  return axis;
}

AxisLabels counted_labels(const Marks& marks, std::int64_t step) {
  AxisLabels axis;
  for (std::int64_t i = 0; i < marks.length; i += step) {
    axis.texts.push_back(marks.text(i));
    axis.places.push_back(static_cast<double>(i));
  }
  return axis;
}

std::int64_t step_of(const Marks& marks, double most) {
  const auto room = std::max<std::int64_t>(static_cast<std::int64_t>(most), 1);
  // Names are shown one and all where there is room; numbers no more than it takes to read the axis.
  return marks.names.empty() ? index_step(marks.length, std::min<std::int64_t>(room, 8))
                             : (marks.length + room - 1) / room;
}

AxisLabels y_labels(const Marks& marks, double pixels) {
  const double most = pixels / (kLineHeight * 0.9);
  AxisLabels axis = marks.places.empty() ? counted_labels(marks, step_of(marks, most))
                                         : number_labels(marks.places, std::min(static_cast<int>(most), 8));
  axis.extent = widest(axis.texts) + 16;
  return axis;
}

AxisLabels x_labels(const Marks& marks, double pixels) {
  constexpr double kNumberWidth = 44;
  AxisLabels axis;
  if (!marks.places.empty()) {
    axis = number_labels(marks.places, std::min(static_cast<int>(pixels / kNumberWidth), 8));
  } else if (marks.names.empty()) {
    axis = counted_labels(marks, step_of(marks, pixels / (text_width(std::to_string(marks.length)) + 12)));
  } else {
    const bool turned = marks.widest_name() + 6 > pixels / static_cast<double>(marks.length);
    axis = counted_labels(marks, turned ? step_of(marks, pixels / (kLineHeight * 0.9)) : 1);
    axis.turned = turned;
  }
  axis.extent = axis.turned ? widest(axis.texts) + 14 : kLineHeight + 8;
  return axis;
}

/// What is left of `asked` after everything else, shared among the panels; the natural size if nothing was asked for.
double panel_extent(int asked, double rest, double gap, std::int64_t count, double natural) {
  if (asked == 0) return natural;
  const auto n = static_cast<double>(count);
  return std::max((asked - rest - gap * (n - 1)) / n, 20.0);
}

}  // namespace

double text_width(std::string_view text) { return display_width(text) * kFontSize * 0.56; }

HeatmapLayout layout_of(const Heatmap& heatmap, const Panels& panels, const Canvas& canvas) {
  HeatmapLayout layout;
  const Size natural = natural_size(heatmap, panels);
  const bool every_row_titled = static_cast<std::int64_t>(heatmap.panel_titles.size()) > panels.columns;
  layout.gap_x = 14;
  layout.gap_y = every_row_titled ? kLineHeight + 12 : 14;
  layout.bar_width = kBarWidth;
  layout.top = kMargin + (heatmap.title.empty() ? 0 : kLineHeight * 1.5) +
               (heatmap.panel_titles.empty() ? 0 : kLineHeight + 2);

  // The labels of y decide how much room is left for x, and those of x how much for y: ask y first with what it would
  // have by nature.
  const Marks down{heatmap.queries, panels.query_places, panels.whole[0]};
  const Marks across{heatmap.keys, panels.key_places, panels.whole[1]};
  const AxisLabels guess = y_labels(down, natural.height);
  const double left = kMargin + (heatmap.y_label.empty() ? 0 : kLineHeight + 6) + guess.extent;
  const double right = kBarGap + kBarWidth + kBarLabels;
  layout.left = left;
  layout.panel_width = panel_extent(canvas.width, left + right, layout.gap_x, panels.columns, natural.width);
  layout.x = x_labels(across, layout.panel_width);
  const double bottom = layout.x.extent + (heatmap.x_label.empty() ? 0 : kLineHeight + 2) + kMargin +
                        (panels.is_reduced() ? kLineHeight : 0);
  const double scale = canvas.width == 0 ? 1 : std::min(layout.panel_width / natural.width, 3.0);
  layout.panel_height =
      panel_extent(canvas.height, layout.top + bottom, layout.gap_y, panels.rows, natural.height * scale);
  layout.y = y_labels(down, layout.panel_height);

  const auto columns = static_cast<double>(panels.columns), rows = static_cast<double>(panels.rows);
  const double panels_end = left + columns * layout.panel_width + (columns - 1) * layout.gap_x;
  layout.bar_x = panels_end + kBarGap;
  layout.width = std::ceil(panels_end + right);
  layout.height = std::ceil(layout.top + rows * layout.panel_height + (rows - 1) * layout.gap_y + bottom);
  return layout;
}

}  // namespace heed::viz
