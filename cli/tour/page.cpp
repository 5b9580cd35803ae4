// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "page.h"

#include <algorithm>

namespace heed::tour {
namespace {

constexpr std::string_view kIndent = "    ";

/// Writes parts as text, a blank line between them.
class Writer {
 public:
  explicit Writer(const viz::Terminal& terminal) : terminal_(terminal) {
    terminal_.columns = std::max(terminal.columns - static_cast<int>(kIndent.size()), 20);
    terminal_.rows = std::min(terminal.rows, 20);  // small pictures
  }

  void operator()(const Question& question) { add_wrapped(question.text); }
  void operator()(const Formula& formula) { add(formula.text); }
  void operator()(const Note& note) { add_wrapped(note.text); }
  void operator()(const Output& output) { add(output.text); }
  void operator()(const Picture& picture) { add(viz::text(picture.figure, terminal_)); }
  void operator()(const Lesson& lesson) { add_wrapped(lesson.text); }
  void operator()(const Reading& reading) { add_wrapped(reading.text + ", " + reading.url); }

  std::string text() const { return text_; }

 private:
  void add_wrapped(std::string_view text) { add(viz::wrapped(text, terminal_.columns)); }

  void add(std::string_view lines) {
    if (!text_.empty()) text_ += '\n';
    while (lines.ends_with('\n')) lines.remove_suffix(1);
    for (bool more = true; more;) {
      const std::size_t end = lines.find('\n');
      more = end != std::string_view::npos;
      const std::string_view line = lines.substr(0, end);
      text_.append(line.empty() ? "" : kIndent).append(line).append("\n");
      if (more) lines.remove_prefix(end + 1);
    }
  }

  viz::Terminal terminal_;
  std::string text_;
};

}  // namespace

std::string Page::text(const viz::Terminal& terminal) const {
  Writer writer(terminal);
  for (const Part& part : parts_) std::visit(writer, part);
  return writer.text();
}

}  // namespace heed::tour
