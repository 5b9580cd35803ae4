// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/colours.h"
#include "viz/curves.h"
#include "viz/gnuplot.h"
#include "viz/label.h"
#include "viz/layout.h"
#include "viz/legend.h"
#include "viz/script.h"
#include "viz/thin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::viz {
namespace {

constexpr int kWidth = 640, kHeight = 360;
constexpr int kSmallest = 160;               ///< for axes with something between them
constexpr double kMark = 5, kBesides = 100;  ///< of the width: a mark, and about what stands beside the axes

/// `mark`: the width of a mark along x. A line or a band from a place to itself would not be seen: it gets that width.
std::string data_of(const Curve& curve, double mark) {
  const double reach = curve.style == Series::Style::kPoints ? 0 : mark / 2;
  std::string text;
  const auto add = [&](double x, std::size_t i) {
    text += number(x) + ' ' + number(curve.y[i]);
    if (!curve.upper.empty()) text += ' ' + number(curve.upper[i]);
    text += '\n';
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (reach > 0 && is_alone(curve, i)) {
      add(curve.x[i] - reach, i);
      add(curve.x[i] + reach, i);
    } else {
      add(curve.x[i], i);
    }
  }
  // A data block without a line would be an error.
  return text.empty() ? "NaN NaN NaN\n" : text;
}

/// One after the other: bands first and points last, so that neither hides what there is less of.
std::string plot_command(const Curves& curves) {
  std::string bands, lines, clouds;
  for (std::size_t i = 0; i < curves.all.size(); ++i) {
    const Curve& curve = curves.all[i];
    const std::string colour = hex(series_colour(i));
    if (!curve.upper.empty()) {
      bands += fmt::format(
          ", $series{} using 1:2:3 with filledcurves fillcolor rgb '{}' fillstyle transparent solid 0.25 "
          "noborder notitle",
          i, colour);
    } else if (curve.style == Series::Style::kPoints) {
      clouds += fmt::format(
          ", $series{} using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb '{}' notitle", i,
          colour);
    } else {
      lines +=
          fmt::format(", $series{} using 1:2 with lines linewidth 2.2 dashtype {} linecolor rgb '{}' notitle",
                      i, dashes_of(curves, i), colour);
    }
  }
  return "plot " + (bands + lines + clouds).substr(2) + "\n";
}

bool has_points(const Curves& curves) {
  return std::ranges::any_of(curves.all, [](const Curve& c) { return c.style == Series::Style::kPoints; });
}

/// A little more than the range, so that no line runs along the edge.
Interval with_room(const Interval& range, Scale scale) {
  if (scale == Scale::kLog) return {range.low / 1.2, range.high * 1.2};
  const double room = (range.high - range.low) * 0.05;
  return {range.low - room, range.high + room};
}

/// The title, and the legend below it.
void heading(Script& script, const Chart& chart, const Curves& curves) {
  double top = 14;
  const auto from_top = [&](double pixels) { return 1 - pixels / script.height; };
  if (!chart.title.empty()) {
    script.commands += fmt::format("set label {} at screen 0.5,{:.6f} center noenhanced font ',16'\n",
                                   quoted(label(chart.title, kLongestTitle)), from_top(top + 8));
    top += kLineHeight + 4;
  }
  const Legend legend = legend_of(curves, script.width, script.height, top - 6);
  script.commands += legend.commands;
  if (legend.height > 0) top += legend.height + 8;
  script.commands += fmt::format("set tmargin at screen {:.6f}\n", from_top(top));
}

}  // namespace

Script script_of(const Chart& chart, const Canvas& canvas) {
  Curves curves = curves_of(chart);
  make_light(curves);
  const double width = canvas.width == 0 ? kWidth : std::max(canvas.width, kSmallest);
  // gnuplot refuses to draw axes with nothing between them.
  const double least = kSmallest + legend_height(curves, width) + (chart.title.empty() ? 0 : kLineHeight);
  Script script{.width = width,
                .height = canvas.height == 0 ? kHeight : std::max<double>(canvas.height, std::ceil(least)),
                .commands = {}};
  const auto add = [&](std::string_view text) { script.commands += text; };
  const double mark = (curves.x.high - curves.x.low) * kMark / std::max(script.width - kBesides, kMark);
  for (std::size_t i = 0; i < curves.all.size(); ++i) {
    add(fmt::format("$series{} << END\n{}END\n", i, data_of(curves.all[i], mark)));
  }
  // Lines between two places outside of the picture cross it all the same.
  add("set clip two\nunset key\n");
  add("set border 3\nset tics nomirror out scale 0.6\nset xtics offset 0,0.3\nset xlabel offset 0,0.4\nset "
      "grid linecolor rgb '#909090' linewidth 0.4 "
      "dashtype (2,3)\n");
  heading(script, chart, curves);
  if (chart.y_scale == Scale::kLog) add("set logscale y\nset format y '%g'\n");
  for (const auto& [axis, text] : {std::pair("x", &chart.x_label), std::pair("y", &chart.y_label)}) {
    if (!text->empty())
      add(fmt::format("set {}label {} noenhanced\n", axis, quoted(label(*text, kLongestTitle))));
  }
  const bool any_y_named = !chart.y_label.empty();
  add(fmt::format("set rmargin 3\n{}", any_y_named ? "" : "set lmargin 8\n"));
  // Points on the edge would be cut in half.
  const double room_x = !chart.x_range && has_points(curves) ? (curves.x.high - curves.x.low) * 0.02 : 0;
  add(fmt::format("set xrange [{}:{}]\n", number(curves.x.low - room_x), number(curves.x.high + room_x)));
  const Interval y = chart.y_range.value_or(with_room(curves.y, chart.y_scale));
  add(fmt::format("set yrange [{}:{}]\n", number(y.low), number(y.high)));
  add(plot_command(curves));
  return script;
}

}  // namespace heed::viz
