// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A heatmap in characters: two columns to a cell make it about square; names of keys make it wider, many cells narrower.
#include "viz/heatmap_text.h"

#include "viz/colours.h"
#include "viz/label.h"
#include "viz/paint.h"
#include "viz/panels.h"
#include "viz/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::viz {
namespace {

constexpr std::int64_t kMostRows = 40;
constexpr int kLongestName = 16;
constexpr int kPanelGap = 2;  ///< between panels
constexpr std::array<std::string_view, 5> kShades = {" ", "░", "▒", "▓", "█"};

class HeatmapText {
 public:
  HeatmapText(const Heatmap& heatmap, const Terminal& terminal)
      : heatmap_(heatmap), terminal_(terminal), side_(side_width(heatmap)) {
    const int room = std::max(terminal.columns - side_, 1);
    panels_ = panels_of(heatmap, kMostRows, room);
    cell_ = cell_width(room);
    names_shown_ = !heatmap.keys.empty() && cell_ >= 3 && !panels_.is_reduced();
    pitch_ = std::clamp(widest(heatmap.panel_titles, room), panel_width(), std::max(room, panel_width())) +
             kPanelGap;
    across_ = std::clamp<std::int64_t>((room + kPanelGap) / pitch_, 1, panels_.columns);
  }

  std::string text() {
    if (!heatmap_.title.empty())
      text_ += wrapped(label(heatmap_.title, kTitleLines * terminal_.columns), terminal_.columns);
    if (!heatmap_.y_label.empty()) line(label(heatmap_.y_label + " ↓", terminal_.columns));
    for (std::int64_t row = 0; row < panels_.rows; ++row) {
      for (std::int64_t first = 0; first < panels_.columns; first += across_) {
        band(row, first, std::min(first + across_, panels_.columns));
      }
    }
    if (!heatmap_.x_label.empty()) {
      line(std::string(static_cast<std::size_t>(side_), ' ') +
           label(heatmap_.x_label + " →", terminal_.columns - side_));
    }
    scale();
    return text_;
  }

 private:
  void line(std::string text) {
    // Blanks at the end of a line help nobody, unless they are coloured.
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += text + '\n';
  }

  /// Of the names to the left of the panels, with a blank after them.
  static int side_width(const Heatmap& heatmap) {
    return std::max(widest(heatmap.queries, kLongestName), heatmap.query_places.defined() ? 8 : 4) + 1;
  }

  int cell_width(int room) const {
    const auto cells = static_cast<int>(panels_.width);
    const int fits = std::max(room / cells, 1);
    if (heatmap_.keys.empty() || panels_.is_reduced()) return std::min(fits, 2);
    return fits < 3 ? fits : std::min(fits, std::max(widest(heatmap_.keys, kLongestName) + 1, 3));
  }

  int panel_width() const { return cell_ * static_cast<int>(panels_.width); }

  /// Panels first to last - 1 of a row of the grid.
  void band(std::int64_t row, std::int64_t first, std::int64_t last) {
    titles(row, first, last);
    if (names_shown_) column_names(first, last);
    for (std::int64_t i = 0; i < panels_.height; ++i) {
      std::string cells = row_name(i);
      for (std::int64_t column = first; column < last; ++column) {
        cells += row_of_cells(row * panels_.columns + column, i) + after_panel();
      }
      line(cells);
    }
    if (!names_shown_) column_numbers(first, last);
  }

  void titles(std::int64_t row, std::int64_t first, std::int64_t last) {
    std::string titles(static_cast<std::size_t>(side_), ' ');
    bool any = false;
    for (std::int64_t column = first; column < last; ++column) {
      const std::string title = panel_title(heatmap_, panels_, row * panels_.columns + column);
      any = any || !title.empty();
      titles += padded(title, pitch_ - kPanelGap) + std::string(kPanelGap, ' ');
    }
    if (any) line(titles);
  }

  std::string row_name(std::int64_t i) const {
    const std::int64_t place = i * panels_.whole[0] / panels_.height;
    if (!heatmap_.queries.empty()) {
      return padded(heatmap_.queries[static_cast<std::size_t>(place)], side_ - 1) + ' ';
    }
    const bool shown = i % index_step(panels_.height, 10) == 0;
    return padded(shown ? place_text(panels_.query_places, place) : "", side_ - 1, Side::kRight) + ' ';
  }

  void column_names(std::int64_t first, std::int64_t last) {
    std::string names(static_cast<std::size_t>(side_), ' ');
    for (std::int64_t column = first; column < last; ++column) {
      for (const std::string& name : heatmap_.keys) names += padded(name, cell_ - 1) + ' ';
      names += after_panel();
    }
    line(names);
  }

  void column_numbers(std::int64_t first, std::int64_t last) {
    int widest = static_cast<int>(std::to_string(panels_.whole[1]).size());
    for (const double place : panels_.key_places)
      widest = std::max(widest, display_width(fmt::format("{:.3g}", place)));
    const std::int64_t step = index_step(panels_.width, std::max(panel_width() / (widest + 1), 1));
    std::string numbers;
    for (std::int64_t j = 0; j < panels_.width; j += step) {
      const std::int64_t room = (std::min(j + step, panels_.width) - j) * cell_;
      numbers += padded(place_text(panels_.key_places, j * panels_.whole[1] / panels_.width),
                        static_cast<int>(room));
    }
    std::string all(static_cast<std::size_t>(side_), ' ');
    for (std::int64_t column = first; column < last; ++column) all += numbers + after_panel();
    line(all);
  }

  /// What a row or column stands for, or else its index.
  static std::string place_text(const std::vector<double>& places, std::int64_t i) {
    return places.empty() ? std::to_string(i) : fmt::format("{:.3g}", places[static_cast<std::size_t>(i)]);
  }

  static int widest(const std::vector<std::string>& texts, int most) {
    int width = 0;
    for (const std::string& text : texts) width = std::max(width, display_width(label(text, most)));
    return width;
  }

  std::string after_panel() const {
    return std::string(static_cast<std::size_t>(pitch_ - panel_width()), ' ');
  }

  std::string cell(double value, bool masked) const {
    const bool blank_after = names_shown_;
    const int width = blank_after ? cell_ - 1 : cell_;
    std::string out;
    if (masked) {
      for (int i = 0; i < width; ++i) out += mask_mark();
    } else if (has_colour(terminal_.ink)) {
      const Rgb colour = std::isnan(value) ? kGap : colour_at(panels_.colours, level(panels_, value));
      out = on_colour(std::string(static_cast<std::size_t>(width), ' '), colour, terminal_.ink);
    } else {
      const std::string mark = plain_mark(value);
      // One digit says it all; a shade must fill its cell to be seen.
      const int marks = terminal_.ink == Ink::kDigits ? 1 : width;
      for (int i = 0; i < width; ++i) out += i < marks ? mark : " ";
    }
    return blank_after ? out + ' ' : out;
  }

  std::string mask_mark() const { return has_all_characters(terminal_) ? "╱" : "/"; }

  std::string plain_mark(double value) const {
    if (terminal_.ink == Ink::kDigits) {
      return std::isnan(value) ? "?"
                               : fmt::format("{}", std::min(static_cast<int>(level(panels_, value) * 10), 9));
    }
    if (std::isnan(value)) return "?";
    return std::string(
        kShades[static_cast<std::size_t>(std::lround(level(panels_, value) * (kShades.size() - 1)))]);
  }

  std::string row_of_cells(std::int64_t panel, std::int64_t row) const {
    std::string cells;
    for (std::int64_t j = 0; j < panels_.width; ++j) {
      const auto place = static_cast<std::size_t>(row * panels_.width + j);
      cells += cell(panels_.cells[static_cast<std::size_t>(panel)][place], panels_.is_masked(panel, place));
    }
    return cells;
  }

  /// So many steps of the scale, `each` columns wide.
  std::string ramp(int each) const {
    std::string out;
    if (has_colour(terminal_.ink)) {
      for (int i = 0; i < 8 * each; ++i)
        out += on_colour(" ", colour_at(panels_.colours, i / (8.0 * each - 1)), terminal_.ink);
    } else if (terminal_.ink == Ink::kDigits) {
      out = each == 1 ? "02468" : "0123456789";
    } else {
      for (const std::string_view shade : kShades) {
        for (int i = 0; i < each; ++i) out += shade;
      }
    }
    return out;
  }

  /// With notes behind it where there is room, below it otherwise.
  void scale() {
    const std::string low = fmt::format("{:.4g}", panels_.range.low),
                      high = fmt::format("{:.4g}", panels_.range.high);
    const auto width_with = [&](int indent, int each) {
      return indent + static_cast<int>(low.size() + high.size()) + 4 +
             (has_colour(terminal_.ink) ? 8 : static_cast<int>(kShades.size())) * each;
    };
    const int indent = width_with(side_, 2) <= terminal_.columns ? side_ : 0;
    const int each = width_with(indent, 2) <= terminal_.columns ? 2 : 1;
    const std::string blanks(static_cast<std::size_t>(indent), ' ');
    const std::string bar = fmt::format("{}{} [{}] {}", blanks, low, ramp(each), high);
    std::string notes = reduction_note(panels_);
    if (!panels_.masked.empty()) notes += (notes.empty() ? "" : "   ") + mask_mark() + " masked";
    if (notes.empty() || width_with(indent, each) + 3 + display_width(notes) <= terminal_.columns) {
      line(notes.empty() ? bar : bar + "   " + notes);
    } else {
      line(bar);
      text_ += wrapped(blanks + notes, terminal_.columns);
    }
  }

  const Heatmap& heatmap_;
  const Terminal& terminal_;
  int side_;
  Panels panels_;
  int cell_ = 1;  ///< columns of a cell
  bool names_shown_ = false;
  int pitch_ = 1;            ///< columns from one panel to the next
  std::int64_t across_ = 1;  ///< panels side by side
  std::string text_;
};

}  // namespace

std::string heatmap_text(const Heatmap& heatmap, const Terminal& terminal) {
  return HeatmapText(heatmap, terminal).text();
}

}  // namespace heed::viz
