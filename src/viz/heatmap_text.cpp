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
    across_ = std::clamp<std::int64_t>((room + kPanelGap) / (panel_width() + kPanelGap), 1, panels_.columns);
  }

  std::string text() {
    if (!heatmap_.title.empty()) line(label(heatmap_.title, terminal_.columns));
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
    line(scale());
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
    int widest = 4;
    for (const std::string& name : heatmap.queries)
      widest = std::max(widest, display_width(label(name, kLongestName)));
    return widest + 1;
  }

  int cell_width(int room) const {
    const auto cells = static_cast<int>(panels_.width);
    const int fits = std::max(room / cells, 1);
    if (heatmap_.keys.empty() || panels_.is_reduced()) return std::min(fits, 2);
    int widest = 1;
    for (const std::string& name : heatmap_.keys)
      widest = std::max(widest, display_width(label(name, kLongestName)));
    return fits < 3 ? fits : std::min(fits, std::max(widest + 1, 3));
  }

  int panel_width() const { return cell_ * static_cast<int>(panels_.width); }

  /// Panels first to last - 1 of a row of the grid.
  void band(std::int64_t row, std::int64_t first, std::int64_t last) {
    titles(row, first, last);
    if (names_shown_) column_names(first, last);
    for (std::int64_t i = 0; i < panels_.height; ++i) {
      std::string cells = row_name(i);
      for (std::int64_t column = first; column < last; ++column) {
        if (column > first) cells += std::string(kPanelGap, ' ');
        cells += row_of_cells(row * panels_.columns + column, i);
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
      titles += padded(title, panel_width()) + std::string(kPanelGap, ' ');
    }
    if (any) line(titles);
  }

  std::string row_name(std::int64_t i) const {
    const std::int64_t place = i * panels_.whole[0] / panels_.height;
    if (!heatmap_.queries.empty()) {
      return padded(heatmap_.queries[static_cast<std::size_t>(place)], side_ - 1) + ' ';
    }
    const bool shown = i % index_step(panels_.height, 10) == 0;
    return padded(shown ? std::to_string(place) : "", side_ - 1, Side::kRight) + ' ';
  }

  void column_names(std::int64_t first, std::int64_t last) {
    std::string names(static_cast<std::size_t>(side_), ' ');
    for (std::int64_t column = first; column < last; ++column) {
      for (const std::string& name : heatmap_.keys) names += padded(name, cell_ - 1) + ' ';
      names += std::string(kPanelGap, ' ');
    }
    line(names);
  }

  void column_numbers(std::int64_t first, std::int64_t last) {
    const int widest = static_cast<int>(std::to_string(panels_.whole[1]).size()) + 1;
    const std::int64_t step = index_step(panels_.width, std::max(panel_width() / widest, 1));
    std::string numbers;
    for (std::int64_t j = 0; j < panels_.width; j += step) {
      const std::int64_t room = (std::min(j + step, panels_.width) - j) * cell_;
      numbers += padded(std::to_string(j * panels_.whole[1] / panels_.width), static_cast<int>(room));
    }
    std::string all(static_cast<std::size_t>(side_), ' ');
    for (std::int64_t column = first; column < last; ++column) all += numbers + std::string(kPanelGap, ' ');
    line(all);
  }

  double level(double value) const {
    return (value - panels_.range.low) / (panels_.range.high - panels_.range.low);
  }

  std::string cell(double value) const {
    const bool blank_after = names_shown_;
    const int width = blank_after ? cell_ - 1 : cell_;
    std::string out;
    if (has_colour(terminal_.ink)) {
      const Rgb colour = std::isnan(value) ? kGap : colour_at(heatmap_.colours, level(value));
      out = on_colour(std::string(static_cast<std::size_t>(width), ' '), colour, terminal_.ink);
    } else {
      const std::string mark = plain_mark(value);
      // One digit says it all; a shade must fill its cell to be seen.
      const int marks = terminal_.ink == Ink::kDigits ? 1 : width;
      for (int i = 0; i < width; ++i) out += i < marks ? mark : " ";
    }
    return blank_after ? out + ' ' : out;
  }

  std::string plain_mark(double value) const {
    if (terminal_.ink == Ink::kDigits) {
      return std::isnan(value) ? "?" : fmt::format("{}", std::min(static_cast<int>(level(value) * 10), 9));
    }
    if (std::isnan(value)) return "?";
    return std::string(kShades[static_cast<std::size_t>(std::lround(level(value) * (kShades.size() - 1)))]);
  }

  std::string row_of_cells(std::int64_t panel, std::int64_t row) const {
    std::string cells;
    for (std::int64_t j = 0; j < panels_.width; ++j) {
      cells += cell(
          panels_.cells[static_cast<std::size_t>(panel)][static_cast<std::size_t>(row * panels_.width + j)]);
    }
    return cells;
  }

  std::string scale() const {
    const std::string low = fmt::format("{:.4g}", panels_.range.low),
                      high = fmt::format("{:.4g}", panels_.range.high);
    std::string ramp;
    if (has_colour(terminal_.ink)) {
      for (int i = 0; i <= 15; ++i)
        ramp += on_colour(" ", colour_at(heatmap_.colours, i / 15.0), terminal_.ink);
    } else if (terminal_.ink == Ink::kDigits) {
      ramp = "0123456789";
    } else {
      for (const std::string_view shade : kShades) ramp += std::string(shade) + std::string(shade);
    }
    const std::string note = reduction_note(panels_);
    return fmt::format("{:>{}}{} [{}] {}{}{}", "", side_, low, ramp, high, note.empty() ? "" : "   ", note);
  }

  const Heatmap& heatmap_;
  const Terminal& terminal_;
  int side_;
  Panels panels_;
  int cell_ = 1;  ///< columns of a cell
  bool names_shown_ = false;
  std::int64_t across_ = 1;  ///< panels side by side
  std::string text_;
};

}  // namespace

std::string heatmap_text(const Heatmap& heatmap, const Terminal& terminal) {
  return HeatmapText(heatmap, terminal).text();
}

}  // namespace heed::viz
