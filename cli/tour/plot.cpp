#include "plot.h"

#include <fmt/format.h>

#include <cmath>

namespace heed::tour {
namespace {

constexpr std::size_t kColumns = 61;
constexpr std::size_t kRows = 11;

/// Which of `count` cells along the axis a number falls into; outside is `count`.
std::size_t cell(double number, const Plot::Axis& axis, std::size_t count) {
  const double position = (number - axis.low) / (axis.high - axis.low) * static_cast<double>(count - 1);
  const double nearest = std::round(position);
  return nearest >= 0 && nearest < static_cast<double>(count) ? static_cast<std::size_t>(nearest) : count;
}

}  // namespace

Plot::Plot(const Axis& x, const Axis& y)
    : x_(x), y_(y), cells_(kRows, std::vector<std::string>(kColumns, " ")) {}

void Plot::draw(std::string_view mark, const Tensor& x, const Tensor& y) {
  const std::vector<double> xs = x.to_vector(), ys = y.to_vector();
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const std::size_t column = cell(xs[i], x_, kColumns), row = cell(ys[i], y_, kRows);
    if (column < kColumns && row < kRows) cells_[kRows - 1 - row][column] = mark;
  }
}

std::string Plot::text() const {
  std::string text;
  for (std::size_t row = 0; row < kRows; ++row) {
    const double level =
        y_.high - (y_.high - y_.low) * static_cast<double>(row) / static_cast<double>(kRows - 1);
    text += fmt::format("{:5.1f} |", level);
    for (const std::string& mark : cells_[row]) text += mark;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  text += fmt::format("{:>6}+{:-<{}}\n", "", "", kColumns);
  text += fmt::format("{:>7}{:<{}.0f}{:.0f}", "", x_.low, kColumns - 1, x_.high);
  return text;
}

}  // namespace heed::tour
