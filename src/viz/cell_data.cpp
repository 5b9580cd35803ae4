// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/cell_data.h"

#include "viz/colours.h"
#include "viz/gnuplot.h"
#include "viz/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace heed::viz {
namespace {

/// Cells along one side, in rows or columns of the whole matrix.
struct Along {
  std::int64_t cells, whole;
  double edge(double cell) const {
    return cell * static_cast<double>(whole) / static_cast<double>(cells) - 0.5;
  }
  double middle(std::int64_t cell) const { return edge(static_cast<double>(cell) + 0.5); }

  /// Where an image has its points, and the cell of each: gnuplot draws none of fewer than two, so one cell is drawn as
  /// its two halves.
  std::vector<std::pair<double, std::int64_t>> points() const {
    if (cells == 1) return {{edge(0.25), 0}, {edge(0.75), 0}};
    std::vector<std::pair<double, std::int64_t>> all;
    for (std::int64_t i = 0; i < cells; ++i) all.emplace_back(middle(i), i);
    return all;
  }
};

/// As many decimals as it takes to tell cells apart, but no more than are read at a glance.
std::string cell_text(double value, const Interval& range) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (value == 0) return "0";
  if (largest >= 1e5 || largest < 0.01) return fmt::format("{:.1e}", value);
  return fmt::format("{:.{}f}", value, largest < 10 ? 2 : largest < 100 ? 1 : 0);
}

bool is_whole(const Panels& panels) {
  return std::ranges::all_of(panels.cells, [](const std::vector<double>& cells) {
    return std::ranges::all_of(
        cells, [](double x) { return std::isnan(x) || (x == std::round(x) && std::abs(x) < 1e5); });
  });
}

std::string number_text(double value, const Panels& panels, bool whole) {
  return whole ? fmt::format("{:.0f}", value + 0.0) : cell_text(value, panels.range);
}

/// Dark on pale cells, pale on dark ones. Not black itself: on a page, that ink changes with the scheme.
const char* ink_on(const Rgb& colour) {
  const double light = 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
  return light > 130 ? "0x1a1a1a" : "0xffffff";
}

class Blocks {
 public:
  Blocks(const Panels& panels, std::int64_t panel)
      : panels_(panels),
        panel_(panel),
        numbers_(panels.cells[static_cast<std::size_t>(panel)]),
        across_{panels.width, panels.whole[1]},
        down_{panels.height, panels.whole[0]} {}

  CellData data(bool with_numbers) {
    image();
    const char* boxes = "using 1:2:3:4:5:6 with boxxyerror fillstyle";
    if (has_boxes("gaps",
                  [&](std::size_t i) { return std::isnan(numbers_[i]) && !panels_.is_masked(panel_, i); })) {
      add_plot("gaps", fmt::format("{} solid noborder linecolor rgb '{}'", boxes, hex(kGap)));
    }
    if (has_boxes("masked", [&](std::size_t i) { return panels_.is_masked(panel_, i); })) {
      add_plot("masked",
               fmt::format("{} transparent pattern 4 noborder linecolor rgb '{}'", boxes, hex(kGap)));
    }
    if (with_numbers && has_numbers()) {
      add_plot("numbers",
               fmt::format("using 1:2:3:4 with labels textcolor rgb variable font ',{}'", kNumberSize));
    }
    return std::move(data_);
  }

 private:
  std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * panels_.width + column);
  }

  void add_block(const char* name, const std::string& lines) {
    data_.blocks += fmt::format("${}{} << END\n{}END\n", name, panel_, lines);
  }
  void add_plot(const char* name, const std::string& how) {
    data_.plots += fmt::format(", ${}{} {} notitle", name, panel_, how);
  }

  /// A line for each: of a matrix gnuplot would complain where it has gaps.
  void image() {
    std::string lines;
    for (const auto& [y, row] : down_.points()) {
      for (const auto& [x, column] : across_.points())
        fmt::format_to(std::back_inserter(lines), "{} {} {}\n", x, y, number(numbers_[index(row, column)]));
    }
    add_block("panel", lines);
  }

  /// Neighbours in a row are one box.
  bool has_boxes(const char* name, const std::function<bool(std::size_t)>& belongs) {
    std::string lines;
    for (std::int64_t row = 0; row < panels_.height; ++row) {
      for (std::int64_t first = 0; first < panels_.width; ++first) {
        std::int64_t last = first;
        while (last < panels_.width && belongs(index(row, last))) ++last;
        if (last == first) continue;
        const double left = across_.edge(static_cast<double>(first)),
                     right = across_.edge(static_cast<double>(last)),
                     top = down_.edge(static_cast<double>(row)),
                     bottom = down_.edge(static_cast<double>(row + 1));
        fmt::format_to(std::back_inserter(lines), "{} {} {} {} {} {}\n", (left + right) / 2,
                       (top + bottom) / 2, left, right, top, bottom);
        first = last;
      }
    }
    if (!lines.empty()) add_block(name, lines);
    return !lines.empty();
  }

  bool has_numbers() {
    std::string lines;
    const bool whole = is_whole(panels_);
    for (std::int64_t row = 0; row < panels_.height; ++row) {
      for (std::int64_t column = 0; column < panels_.width; ++column) {
        const double value = numbers_[index(row, column)];
        if (std::isnan(value)) continue;
        fmt::format_to(std::back_inserter(lines), "{} {} \"{}\" {}\n", across_.middle(column),
                       down_.middle(row), number_text(value, panels_, whole),
                       ink_on(colour_at(panels_.colours, level(panels_, value))));
      }
    }
    if (!lines.empty()) add_block("numbers", lines);
    return !lines.empty();
  }

  const Panels& panels_;
  std::int64_t panel_;
  const std::vector<double>& numbers_;
  Along across_, down_;
  CellData data_;
};

}  // namespace

bool numbers_fit(const Panels& panels, double cell_width, double cell_height) {
  constexpr std::size_t kMost = 400;  // more are a table, not a picture
  if (panels.is_reduced() || panels.cells.size() * panels.cells.front().size() > kMost) return false;
  const bool whole = is_whole(panels);
  double widest = 0;
  for (const auto& cells : panels.cells) {
    for (const double value : cells) {
      if (!std::isnan(value)) widest = std::max(widest, text_width(number_text(value, panels, whole)));
    }
  }
  return widest * kNumberSize / kFontSize + 8 <= cell_width && kNumberSize + 5 <= cell_height;
}

CellData cell_data(const Panels& panels, std::int64_t panel, bool with_numbers) {
  return Blocks(panels, panel).data(with_numbers);
}

}  // namespace heed::viz
