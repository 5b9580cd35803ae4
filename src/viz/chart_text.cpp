// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A chart in characters. Where colours tell series apart, lines are dots of braille, eight to a character; elsewhere each
// series has a mark of its own.
#include "viz/chart_text.h"

#include "viz/colours.h"
#include "viz/curves.h"
#include "viz/label.h"
#include "viz/paint.h"
#include "viz/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace heed::viz {
namespace {

constexpr int kMostColumns = 72;

class ChartText {
 public:
  ChartText(const Chart& chart, const Terminal& terminal)
      : chart_(chart),
        terminal_(terminal),
        curves_(curves_of(chart)),
        y_range_{on_scale(curves_.y.low), on_scale(curves_.y.high)},
        height_(std::clamp(terminal.rows - 8, 5, 16)) {
    y_ticks_ = ticks(y_range_, std::max(height_ / 3, 3));
    y_texts_ = tick_labels(chart.y_scale == Scale::kLog ? powers(y_ticks_) : y_ticks_);
    for (const std::string& text : y_texts_) side_ = std::max(side_, static_cast<int>(text.size()) + 1);
    width_ = std::clamp(terminal.columns - side_ - 1, 10, kMostColumns);
    cells_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), kNothing);
    dots_.assign(cells_.size(), 0);
    if (has_colour(terminal.ink) && has_all_characters(terminal)) across_ = 2, down_ = 4;
  }

  std::string text() {
    for (std::size_t i = 0; i < curves_.all.size(); ++i) {
      if (!curves_.all[i].upper.empty()) draw_band(i);
    }
    // Points last: a line that is covered here and there is still seen.
    for (const bool points : {false, true}) {
      for (std::size_t i = 0; i < curves_.all.size(); ++i) {
        const Curve& curve = curves_.all[i];
        if (curve.upper.empty() && (curve.style == Series::Style::kPoints) == points) draw_curve(i);
      }
    }
    if (!chart_.title.empty())
      text_ += wrapped(label(chart_.title, kTitleLines * terminal_.columns), terminal_.columns);
    legend();
    if (!chart_.y_label.empty()) line(label(chart_.y_label, terminal_.columns));
    for (int row = 0; row < height_; ++row) line(row_text(row));
    x_axis();
    return text_;
  }

 private:
  static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);
  /// The bits of braille's dots, row by row.
  static constexpr std::uint8_t kDots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  struct Cell {
    double x, y;  ///< in dots, from the left and from the top
  };

  bool has_dots() const { return across_ > 1; }
  int dots_across() const { return width_ * across_; }
  int dots_down() const { return height_ * down_; }
  bool is_band(std::size_t series) const { return !curves_.all[series].upper.empty(); }

  double on_scale(double y) const { return chart_.y_scale == Scale::kLog ? std::log10(y) : y; }
  static std::vector<double> powers(std::vector<double> exponents) {
    for (double& exponent : exponents) exponent = std::pow(10, exponent);
    return exponents;
  }

  void line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += text + '\n';
  }

  std::optional<Cell> cell_of(double x, double y) const {
    if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
    return Cell{share_of_x(x) * (dots_across() - 1), share_of_y(on_scale(y)) * (dots_down() - 1)};
  }

  void put(double column, double row, std::size_t series) {
    const double x = std::round(column), y = std::round(row);
    if (!(x >= 0 && x < dots_across() && y >= 0 && y < dots_down())) return;
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const std::size_t cell = place(j / down_, i / across_);
    cells_[cell] = series;
    if (has_dots() && !is_band(series))
      dots_[cell] = static_cast<std::uint8_t>(dots_[cell] | kDots[j % 4][i % 2]);
  }

  double share_of_x(double x) const { return (x - curves_.x.low) / (curves_.x.high - curves_.x.low); }
  double share_of_y(double y) const { return (y_range_.high - y) / (y_range_.high - y_range_.low); }
  int row_of(double y) const {
    return static_cast<int>(std::lround(share_of_y(y) * (dots_down() - 1))) / down_;
  }
  int column_of(double x) const {
    return static_cast<int>(std::lround(share_of_x(x) * (dots_across() - 1))) / across_;
  }
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(column);
  }

  void draw_line(const Cell& from, const Cell& to, std::size_t series) {
    // No more steps than the picture has cells, however far outside the ends lie.
    const double steps =
        std::clamp(std::ceil(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y))), 1.0, 1e4);
    const bool dashed = has_dots() && curves_.all[series].style == Series::Style::kDashes;
    for (double i = 0; i <= steps; ++i) {
      if (dashed && std::fmod(from.x + (to.x - from.x) * i / steps, 6) >= 4) continue;
      put(from.x + (to.x - from.x) * i / steps, from.y + (to.y - from.y) * i / steps, series);
    }
  }

  void draw_curve(std::size_t series) {
    const Curve& curve = curves_.all[series];
    std::optional<Cell> before;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const std::optional<Cell> here = cell_of(curve.x[i], curve.y[i]);
      if (here && before && curve.style != Series::Style::kPoints) draw_line(*before, *here, series);
      if (here) put(here->x, here->y, series);
      before = here;
    }
  }

  void draw_band(std::size_t series) {
    const Curve& curve = curves_.all[series];
    std::optional<Cell> low_before, high_before;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const std::optional<Cell> low = cell_of(curve.x[i], curve.y[i]),
                                high = cell_of(curve.x[i], curve.upper[i]);
      if (low && high) fill(low_before.value_or(*low), high_before.value_or(*high), *low, *high, series);
      const bool shown = low && high;
      low_before = shown ? low : std::nullopt;
      high_before = shown ? high : std::nullopt;
    }
  }

  void fill(const Cell& low_a, const Cell& high_a, const Cell& low_b, const Cell& high_b,
            std::size_t series) {
    const double left = std::clamp(std::min(low_a.x, low_b.x), 0.0, dots_across() - 1.0);
    const double right = std::clamp(std::max(low_a.x, low_b.x), 0.0, dots_across() - 1.0);
    for (double x = std::round(left); x <= std::round(right); ++x) {
      const double share = low_b.x == low_a.x ? 0 : std::clamp((x - low_a.x) / (low_b.x - low_a.x), 0.0, 1.0);
      const double low = low_a.y + (low_b.y - low_a.y) * share,
                   high = high_a.y + (high_b.y - high_a.y) * share;
      const double top = std::clamp(std::min(low, high), 0.0, dots_down() - 1.0);
      const double bottom = std::clamp(std::max(low, high), 0.0, dots_down() - 1.0);
      for (double y = top; y <= bottom; ++y) put(x, y, series);
    }
  }

  /// In the legend, and in cells of points and bands.
  std::string mark(std::size_t series) const {
    if (has_dots()) {
      const Series::Style style = curves_.all[series].style;
      const char* mark = is_band(series)                   ? "░"
                         : style == Series::Style::kPoints ? "●"
                         : style == Series::Style::kDashes ? "╌"
                                                           : "─";
      return in_colour(mark, series_colour(series), terminal_.ink);
    }
    static constexpr std::array<const char*, 6> kLines = {"#", "+", "x", "%", "&", "@"};
    static constexpr std::array<const char*, 3> kPoints = {"o", "*", "^"};
    const auto drawn_like = [&](std::size_t i) {
      return curves_.all[i].upper.empty() == curves_.all[series].upper.empty() &&
             curves_.all[i].style == curves_.all[series].style;
    };
    std::size_t before = 0;
    for (std::size_t i = 0; i < series; ++i) before += drawn_like(i) ? 1 : 0;
    std::string mark = kLines[before % kLines.size()];
    if (!curves_.all[series].upper.empty()) {
      mark = ":";
    } else if (curves_.all[series].style == Series::Style::kPoints) {
      mark = kPoints[before % kPoints.size()];
    } else if (curves_.all[series].style == Series::Style::kDashes) {
      mark = "-";
    }
    return has_colour(terminal_.ink) ? in_colour(mark, series_colour(series), terminal_.ink) : mark;
  }

  std::string cell_text(std::size_t cell) const {
    const std::size_t series = cells_[cell];
    if (series == kNothing) return " ";
    const bool is_line = !is_band(series) && curves_.all[series].style != Series::Style::kPoints;
    if (!has_dots() || !is_line) return mark(series);
    // The code points from U+2800 on have a bit for each dot.
    const std::uint8_t dots = dots_[cell];
    const std::string braille = {'\xE2', static_cast<char>(0xA0 | dots >> 6U),
                                 static_cast<char>(0x80 | (dots & 0x3FU))};
    return in_colour(braille, series_colour(series), terminal_.ink);
  }

  void legend() {
    std::string entries;
    int width = 0;
    for (std::size_t i = 0; i < curves_.all.size(); ++i) {
      if (curves_.all[i].name.empty()) continue;
      const std::string name = label(curves_.all[i].name, terminal_.columns / 2);
      const int more = 5 + display_width(name);
      if (width > 0 && width + more > terminal_.columns) {
        line(entries);
        entries.clear();
        width = 0;
      }
      entries += fmt::format("{}{} {}", width > 0 ? "   " : "", mark(i), name);
      width += more;
    }
    if (!entries.empty()) line(entries);
  }

  std::string row_text(int row) const {
    std::string text = std::string(static_cast<std::size_t>(side_), ' ') + "|";
    for (std::size_t i = 0; i < y_ticks_.size(); ++i) {
      if (row_of(y_ticks_[i]) == row) text = padded(y_texts_[i], side_ - 1, Side::kRight) + " +";
    }
    for (int column = 0; column < width_; ++column) text += cell_text(place(row, column));
    return text;
  }

  void x_axis() {
    const std::vector<double> places = ticks(curves_.x, std::max(width_ / 10, 3));
    const std::vector<std::string> texts = tick_labels(places);
    std::string axis(static_cast<std::size_t>(width_), '-'), numbers;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto column = static_cast<std::size_t>(column_of(places[i]));
      axis[std::min(column, axis.size() - 1)] = '+';
      // Centred under its tick, if what stands to its left leaves room.
      const std::size_t room = axis.size() - std::min(texts[i].size(), axis.size());
      const std::size_t start =
          column >= texts[i].size() / 2 ? std::min(column - texts[i].size() / 2, room) : 0;
      if (!numbers.empty() && numbers.size() + 1 > start) continue;
      numbers += std::string(start - numbers.size(), ' ') + texts[i];
    }
    const std::string indent(static_cast<std::size_t>(side_), ' ');
    line(indent + "+" + axis);
    line(indent + " " + numbers);
    if (!chart_.x_label.empty()) line(indent + " " + padded(chart_.x_label, width_, Side::kCentre));
  }

  const Chart& chart_;
  const Terminal& terminal_;
  Curves curves_;
  Interval y_range_;
  int height_;
  int side_ = 2;  ///< columns left of the axis
  int width_ = 10;
  std::vector<double> y_ticks_;
  std::vector<std::string> y_texts_;
  int across_ = 1, down_ = 1;       ///< dots of a cell
  std::vector<std::size_t> cells_;  ///< which series is seen
  std::vector<std::uint8_t> dots_;  ///< of the lines in a cell
  std::string text_;
};

}  // namespace

std::string chart_text(const Chart& chart, const Terminal& terminal) {
  return ChartText(chart, terminal).text();
}

}  // namespace heed::viz
