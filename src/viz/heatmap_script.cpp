// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Panels are placed by us, to the pixel: gnuplot's own layout knows no shared axes.
#include "core/parallel.h"
#include "viz/cell_data.h"
#include "viz/colours.h"
#include "viz/gnuplot.h"
#include "viz/label.h"
#include "viz/layout.h"
#include "viz/script.h"
#include "viz/ticks.h"

#include <fmt/format.h>

#include <algorithm>

namespace heed::viz {
namespace {

/// More cells than pixels would only be averaged by whoever shows the picture.
constexpr std::int64_t kMostCells = 640;

class HeatmapScript {
 public:
  HeatmapScript(const Heatmap& heatmap, const Canvas& canvas, CellStyle style)
      : heatmap_(heatmap),
        style_(style),
        panels_(panels_of(heatmap, kMostCells, kMostCells)),
        layout_(layout_of(heatmap, panels_, canvas)) {}

  Script script() {
    data();
    colours();
    add("unset key\nset multiplot\n");
    global_labels();
    for (std::int64_t panel = 0; panel < panels_.rows * panels_.columns; ++panel) draw(panel);
    add("unset multiplot\n");
    return {layout_.width, layout_.height, commands_};
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(commands_), format, std::forward<Args>(args)...);
  }

  // gnuplot counts in shares of the picture, and from its bottom.
  double x(double pixels) const { return pixels / layout_.width; }
  double y(double pixels) const { return 1 - pixels / layout_.height; }
  double left_of(std::int64_t column) const {
    return layout_.left + static_cast<double>(column) * (layout_.panel_width + layout_.gap_x);
  }
  double right_of(std::int64_t column) const { return left_of(column) + layout_.panel_width; }
  double top_of(std::int64_t row) const {
    return layout_.top + static_cast<double>(row) * (layout_.panel_height + layout_.gap_y);
  }
  double bottom_of(std::int64_t row) const { return top_of(row) + layout_.panel_height; }

  void data() {
    const bool with_numbers = heatmap_.numbers_in_cells &&
                              numbers_fit(panels_, layout_.panel_width / static_cast<double>(panels_.width),
                                          layout_.panel_height / static_cast<double>(panels_.height));
    for (std::int64_t panel = 0; panel < panels_.rows * panels_.columns; ++panel) {
      poll_interrupt();
      CellData data = cell_data(panels_, panel, with_numbers);
      commands_ += data.blocks;
      plots_.push_back(std::move(data.plots));
    }
  }

  void colours() {
    std::string steps;
    int place = 0;
    for (const Rgb& colour : stops(panels_.colours)) {
      steps += fmt::format("{}{} '{}'", steps.empty() ? "" : ", ", place++, hex(colour));
    }
    add("set palette defined ({})\nset cbrange [{}:{}]\n", steps, number(panels_.range.low),
        number(panels_.range.high));
    std::vector<double> places = ticks(panels_.range, bar_ticks());
    std::vector<std::string> texts = tick_labels(places);
    if (places.size() < 2) {  // a short bar has its ends at least
      places = {panels_.range.low, panels_.range.high};
      texts = {fmt::format("{:.3g}", places[0]), fmt::format("{:.3g}", places[1])};
    }
    std::string list;
    for (std::size_t i = 0; i < places.size(); ++i) {
      list += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted_tick(texts[i]), number(places[i]));
    }
    add("set cbtics ({}) scale 0 offset -0.3,0 noenhanced\n", list);
  }

  int bar_ticks() const {
    return std::clamp(static_cast<int>((bottom_of(panels_.rows - 1) - layout_.top) / (1.5 * kLineHeight)), 2,
                      6);
  }

  void colour_bar() {
    const double bottom = y(bottom_of(panels_.rows - 1));
    add("set colorbox user origin screen {:.6f},{:.6f} size screen {:.6f},{:.6f} noborder\n",
        x(layout_.bar_x), bottom, x(layout_.bar_width), y(layout_.top) - bottom);
  }

  void label_at(const std::string& text, double x_pixels, double y_pixels, const char* how) {
    if (text.empty()) return;
    add("set label {} at screen {:.6f},{:.6f} {} noenhanced\n", quoted(label(text, kLongestTitle)),
        x(x_pixels), y(y_pixels), how);
  }

  /// Drawn with the first panel.
  void global_labels() {
    const double middle = (layout_.left + right_of(panels_.columns - 1)) / 2;
    label_at(heatmap_.title, middle, 24, "center font ',16'");
    double below = bottom_of(panels_.rows - 1) + layout_.x.extent + kLineHeight / 2;
    label_at(heatmap_.x_label, middle, below, "center");
    if (!heatmap_.x_label.empty()) below += kLineHeight;
    label_at(reduction_note(panels_), middle, below, "center font ',11'");
    label_at(heatmap_.y_label, 22, (layout_.top + bottom_of(panels_.rows - 1)) / 2, "center rotate by 90");
  }

  static std::string tick_list(const AxisLabels& axis) {
    std::string list;
    for (std::size_t i = 0; i < axis.texts.size(); ++i) {
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", quoted_tick(axis.texts[i]), axis.places[i]);
    }
    return list;
  }

  void draw(std::int64_t panel) {
    const std::int64_t row = panel / panels_.columns, column = panel % panels_.columns;
    const bool last = panel == panels_.rows * panels_.columns - 1;
    add("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", x(left_of(column)),
        x(right_of(column)));
    add("set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n", y(top_of(row)), y(bottom_of(row)));
    label_at(panel_title(heatmap_, panels_, panel), (left_of(column) + right_of(column)) / 2,
             top_of(row) - kLineHeight / 2 - 1, "center");
    if (row == panels_.rows - 1) {
      add("set xtics ({}) nomirror out scale 0.6 noenhanced{}\n", tick_list(layout_.x),
          layout_.x.turned ? " rotate by 90 right" : " offset 0,0.4");
    } else {
      add("unset xtics\n");
    }
    if (column == 0) {
      add("set ytics ({}) nomirror out scale 0.6 noenhanced\n", tick_list(layout_.y));
    } else {
      add("unset ytics\n");
    }
    if (last) {
      colour_bar();
    } else {
      add("unset colorbox\n");
    }
    const Shape& whole = panels_.whole;
    add("set xrange [-0.5:{}.5]\nset yrange [{}.5:-0.5]\n", whole[1] - 1, whole[0] - 1);
    const bool few = panels_.width * panels_.height <= 1024;
    add("plot $panel{} using 1:2:3 with image {}notitle{}\n", panel,
        few && style_ == CellStyle::kShapes ? "pixels " : "", plots_[static_cast<std::size_t>(panel)]);
    add("unset label\n");
  }

  const Heatmap& heatmap_;
  CellStyle style_;
  Panels panels_;
  HeatmapLayout layout_;
  std::vector<std::string> plots_;  ///< what is plotted over each panel's image
  std::string commands_;
};

}  // namespace

Script script_of(const Heatmap& heatmap, const Canvas& canvas, CellStyle style) {
  return HeatmapScript(heatmap, canvas, style).script();
}

}  // namespace heed::viz
