#include "page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace heed::tour {
namespace {

constexpr std::string_view kIndent = "    ";

/// Rows of a (columns) or (rows, columns) tensor as text, all of one width.
std::vector<std::vector<std::string>> cells(const Tensor& x, int decimals) {
  const Tensor matrix = x.rank() == 1 ? x.unsqueeze(0) : x;
  std::vector<std::vector<std::string>> rows;
  for (std::int64_t i = 0; i < matrix.size(0); ++i) {
    rows.emplace_back();
    for (double value : matrix[i].to_vector()) rows.back().push_back(fmt::format("{:.{}f}", value, decimals));
  }
  return rows;
}

std::size_t widest(const std::vector<std::vector<std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) {
    for (const std::string& cell : row) width = std::max(width, cell.size());
  }
  return width;
}

std::string joined(const std::vector<std::string>& row, std::size_t width) {
  std::string text;
  for (const std::string& cell : row) text += fmt::format("{:>{}}", cell, width + 2);
  return text;
}

std::string drawn(const std::vector<double>& numbers, double low, double high,
                  std::span<const std::string_view> ramp) {
  std::string text;
  const auto last = static_cast<double>(ramp.size() - 1);
  for (double number : numbers) {
    const double level = std::clamp((number - low) / (high - low), 0.0, 1.0) * last;
    text += ramp[static_cast<std::size_t>(std::lround(level))];
  }
  return text;
}

}  // namespace

void Page::add(std::string_view lines) {
  for (bool more = true; more;) {
    const std::size_t end = lines.find('\n');
    more = end != std::string_view::npos;
    const std::string_view line = lines.substr(0, end);
    if (!line.empty()) text_.append(kIndent).append(line);
    text_ += '\n';
    if (more) lines.remove_prefix(end + 1);
  }
}

void Page::block(std::string_view text) { add(text); }

void Page::numbers(std::string_view label, const Tensor& x, int decimals) {
  const auto rows = cells(x, decimals);
  line("{}", label);
  for (const auto& row : rows) line("{}", joined(row, widest(rows)));
}

void Page::table(const Labels& labels, const Tensor& x, int decimals) {
  const auto rows = cells(x, decimals);
  // fmt counts wide characters as two columns; cells are ASCII, and no label here is wider than a cell or 8.
  const std::size_t width = std::max<std::size_t>(widest(rows), 6);
  line("{:<8}{}", "", joined(labels.columns, width));
  for (std::size_t i = 0; i < rows.size(); ++i) line("{:<8}{}", labels.rows[i], joined(rows[i], width));
}

std::string sparkline(const std::vector<double>& numbers, double low, double high) {
  static constexpr std::array<std::string_view, 8> kRamp = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  return drawn(numbers, low, high, kRamp);
}

std::string shading(const std::vector<double>& numbers, double low, double high) {
  static constexpr std::array<std::string_view, 5> kRamp = {" ", "░", "▒", "▓", "█"};
  return drawn(numbers, low, high, kRamp);
}

double max_difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

}  // namespace heed::tour
