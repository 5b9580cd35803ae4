// What an experiment prints: one formula, its numbers, one thing to see in them. Plain text, wide characters aligned.
#pragma once

#include <heed/heed.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::tour {

class Page {
 public:
  void formula(std::string_view text) { line("{}\n", text); }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    add(fmt::format(format, std::forward<Args>(args)...));
  }

  /// A tensor of one or two dimensions under its label, right-aligned.
  void numbers(std::string_view label, const Tensor& x, int decimals = 4);

  /// The same with a name for every row and every column.
  struct Labels {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
  };
  void table(const Labels& labels, const Tensor& x, int decimals = 4);

  /// Some lines at once.
  void block(std::string_view text);

  void see(std::string_view text) { line("\n→ {}", text); }

  const std::string& text() const noexcept { return text_; }

 private:
  void add(std::string_view lines);

  std::string text_;
};

/// One character per number, from low to high as ▁ to █.
std::string sparkline(const std::vector<double>& numbers, double low, double high);
/// One character per number, from low to high as a blank to █.
std::string shading(const std::vector<double>& numbers, double low, double high);

/// Largest |a - b|.
double max_difference(const Tensor& a, const Tensor& b);

}  // namespace heed::tour
