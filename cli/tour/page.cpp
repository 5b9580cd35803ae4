// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "page.h"

#include <algorithm>

namespace heed::tour {
namespace {

constexpr std::string_view kIndent = "    ";

/// Rows of a (columns) or (rows, columns) tensor as text.
std::vector<std::vector<std::string>> cells(const Tensor& x, int decimals) {
  const Tensor matrix = x.rank() == 1 ? x.unsqueeze(0) : x;
  std::vector<std::vector<std::string>> rows;
  for (std::int64_t i = 0; i < matrix.size(0); ++i) {
    rows.emplace_back();
    for (double value : matrix[i].to_vector()) rows.back().push_back(fmt::format("{:.{}f}", value, decimals));
  }
  return rows;
}

/// Writes parts as text, a blank line between those of different kind.
class Writer {
 public:
  explicit Writer(const viz::Terminal& terminal) : terminal_(terminal) {
    terminal_.columns = std::max(terminal.columns - static_cast<int>(kIndent.size()), 20);
    terminal_.rows = std::min(terminal.rows, 20);  // small pictures
  }

  void operator()(const Formula& formula) {
    add(formula.text);
    add("");
  }
  void operator()(const Lines& lines) { add(lines.text); }
  void operator()(const Note& note) { add(note.text); }
  void operator()(const Picture& picture) {
    add("");
    std::string drawn = viz::text(picture.figure, terminal_);
    drawn.pop_back();
    add(drawn);
    add("");
  }
  void operator()(const Lesson& lesson) {
    add("");
    add("→ " + lesson.text);
  }

  void operator()(const Grid& grid) {
    int width = grid.columns.empty() ? 0 : 6, side = grid.rows.empty() ? 0 : 8;
    for (const auto& row : grid.cells) {
      for (const std::string& cell : row) width = std::max(width, viz::display_width(cell));
    }
    for (const std::string& name : grid.columns) width = std::max(width, viz::display_width(name));
    for (const std::string& name : grid.rows) side = std::max(side, viz::display_width(name));
    if (!grid.label.empty()) add(grid.label);
    const auto row = [&](const std::string& name, const std::vector<std::string>& texts) {
      std::string line = name + blanks(side - viz::display_width(name));
      for (const std::string& text : texts) line += blanks(width + 2 - viz::display_width(text)) + text;
      add(line);
    };
    if (!grid.columns.empty()) row("", grid.columns);
    for (std::size_t i = 0; i < grid.cells.size(); ++i)
      row(grid.rows.empty() ? "" : grid.rows[i], grid.cells[i]);
  }

  std::string text() const { return text_; }

 private:
  static std::string blanks(int count) {
    return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
  }

  void add(std::string_view lines) {
    for (bool more = true; more;) {
      const std::size_t end = lines.find('\n');
      more = end != std::string_view::npos;
      const std::string_view line = lines.substr(0, end);
      // One blank line is enough, and none at the top.
      const bool blank_too_many = line.empty() && (text_.empty() || text_.ends_with("\n\n"));
      if (!blank_too_many) text_.append(line.empty() ? "" : kIndent).append(line).append("\n");
      if (more) lines.remove_prefix(end + 1);
    }
  }

  viz::Terminal terminal_;
  std::string text_;
};

}  // namespace

void Page::add_lines(std::string lines) {
  auto* last = parts_.empty() ? nullptr : std::get_if<Lines>(&parts_.back());
  if (last != nullptr) {
    last->text += "\n" + lines;
  } else {
    add(Lines{std::move(lines)});
  }
}

void Page::numbers(std::string_view label, const Tensor& x, int decimals) {
  add(Grid{.label = std::string(label), .rows = {}, .columns = {}, .cells = cells(x, decimals)});
}

void Page::table(const Labels& labels, const Tensor& x, int decimals) {
  add(Grid{.label = {}, .rows = labels.rows, .columns = labels.columns, .cells = cells(x, decimals)});
}

std::string Page::text(const viz::Terminal& terminal) const {
  Writer writer(terminal);
  for (const Part& part : parts_) std::visit(writer, part);
  return writer.text();
}

double max_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

}  // namespace heed::tour
