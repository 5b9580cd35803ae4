#include "viz/colours.h"
#include "viz/curves.h"
#include "viz/gnuplot.h"
#include "viz/label.h"
#include "viz/layout.h"
#include "viz/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heed::viz {
namespace {

constexpr int kWidth = 640, kHeight = 360;
constexpr int kSmallest = 120;  ///< for axes with something between them
constexpr int kLongestLegend = 40;

/// Lines are told apart by their dashes too, not by colour alone.
const char* dashes(std::size_t line, Series::Style style) {
  static constexpr std::array<const char*, 4> kDashes = {"1", "(18,5)", "(12,4,3,4)", "(3,4)"};
  return style == Series::Style::kDashes ? "(8,6)" : kDashes[line % kDashes.size()];
}

std::string data_of(const Curve& curve) {
  std::string text;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    text += number(curve.x[i]) + ' ' + number(curve.y[i]);
    if (!curve.upper.empty()) text += ' ' + number(curve.upper[i]);
    text += '\n';
  }
  // A data block without a line would be an error.
  return text.empty() ? "NaN NaN NaN\n" : text;
}

/// One after the other: bands first, so that nothing lies under them.
std::string plot_command(const Curves& curves) {
  std::string bands, others;
  std::size_t line = 0;
  for (std::size_t i = 0; i < curves.all.size(); ++i) {
    const Curve& curve = curves.all[i];
    const std::string colour = hex(series_colour(i));
    const std::string title =
        curve.name.empty() ? "notitle"
                           : fmt::format("title {} noenhanced", quoted(label(curve.name, kLongestLegend)));
    std::string& list = curve.upper.empty() ? others : bands;
    list += ", ";
    if (!curve.upper.empty()) {
      list += fmt::format(
          "$series{} using 1:2:3 with filledcurves fillcolor rgb '{}' fillstyle transparent solid 0.25 "
          "noborder {}",
          i, colour, title);
    } else if (curve.style == Series::Style::kPoints) {
      list += fmt::format(
          "$series{} using 1:2 with points pointtype 6 pointsize 0.6 linewidth 1.5 linecolor rgb '{}' {}", i,
          colour, title);
    } else {
      list += fmt::format("$series{} using 1:2 with lines linewidth 2.2 dashtype {} linecolor rgb '{}' {}", i,
                          dashes(curve.style == Series::Style::kLine ? line++ : line, curve.style), colour,
                          title);
    }
  }
  return "plot " + (bands + others).substr(2) + "\n";
}

}  // namespace

Script script_of(const Chart& chart, const Canvas& canvas) {
  const Curves curves = curves_of(chart);
  Script script{
      .width = static_cast<double>(canvas.width == 0 ? kWidth : std::max(canvas.width, kSmallest)),
      .height = static_cast<double>(canvas.height == 0 ? kHeight : std::max(canvas.height, kSmallest)),
      .commands = {}};
  const auto add = [&](std::string_view text) { script.commands += text; };
  for (std::size_t i = 0; i < curves.all.size(); ++i) {
    add(fmt::format("$series{} << END\n{}END\n", i, data_of(curves.all[i])));
  }
  add("set border 3\nset tics nomirror out scale 0.6\nset grid linecolor rgb '#909090' linewidth 0.4 "
      "dashtype (2,3)\n");
  add("set key outside top center horizontal Left reverse samplen 2.5 spacing 1.1\n");
  if (chart.y_scale == Scale::kLog) add("set logscale y\nset format y '%g'\n");
  if (!chart.title.empty()) {
    add(fmt::format("set title {} noenhanced font ',16'\n", quoted(label(chart.title, kLongestTitle))));
  }
  for (const auto& [axis, text] : {std::pair("x", &chart.x_label), std::pair("y", &chart.y_label)}) {
    if (!text->empty())
      add(fmt::format("set {}label {} noenhanced\n", axis, quoted(label(*text, kLongestTitle))));
  }
  const bool any_y_named = !chart.y_label.empty();
  add(fmt::format("set rmargin 3\n{}", any_y_named ? "" : "set lmargin 8\n"));
  add(fmt::format("set xrange [{}:{}]\n", number(curves.x.low), number(curves.x.high)));
  // gnuplot rounds what it finds outwards to the next tick, which looks better than the data's own ends.
  if (chart.y_range) add(fmt::format("set yrange [{}:{}]\n", number(curves.y.low), number(curves.y.high)));
  if (!chart.y_range && chart.y_scale == Scale::kLinear) {
    const double room = (curves.y.high - curves.y.low) * 0.05;
    add(fmt::format("set yrange [{}:{}]\n", number(curves.y.low - room), number(curves.y.high + room)));
  }
  add(plot_command(curves));
  return script;
}

}  // namespace heed::viz
