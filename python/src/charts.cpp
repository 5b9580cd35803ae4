// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "pictures.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

namespace heed::python {
namespace {

using viz::Chart;
using viz::Series;
using Range = std::optional<std::pair<double, double>>;

Series::Style to_style(const std::string& name) {
  if (name == "line") return Series::Style::kLine;
  if (name == "dashes") return Series::Style::kDashes;
  if (name == "points") return Series::Style::kPoints;
  throw Error("Series: style must be \"line\", \"dashes\" or \"points\", found " + shown(name));
}

const char* name_of(Series::Style style) {
  switch (style) {
    case Series::Style::kLine: return "line";
    case Series::Style::kDashes: return "dashes";
    case Series::Style::kPoints: break;
  }
  return "points";
}

viz::Scale to_scale(const std::string& name) {
  if (name == "linear") return viz::Scale::kLinear;
  if (name == "log") return viz::Scale::kLog;
  throw Error("Chart: y_scale must be \"linear\" or \"log\", found " + shown(name));
}

std::optional<viz::Interval> to_interval(const Range& range) {
  return range ? std::optional(viz::Interval{range->first, range->second}) : std::nullopt;
}

Range from_interval(const std::optional<viz::Interval>& interval) {
  return interval ? Range(std::pair(interval->low, interval->high)) : std::nullopt;
}

void bind_series(nb::module_& m) {
  nb::class_<Series>(
      m, "Series",
      "A line, points or, with upper, a band from y up to it. NaN leaves a gap.\n\n"
      ">>> heed.Series([0, 1, 2], [1.0, 4.0, 9.0], name=\"squares\", style=\"points\").name\n'squares'")
      .def(
          "__init__",
          [](Series* self, const Exact& x, const Exact& y, const std::string& name,
             const std::optional<Exact>& upper, const std::string& style) {
            new (self) Series{name, x.detach().clone(), y.detach().clone(),
                              upper ? upper->detach().clone() : Tensor(), to_style(style)};
          },
          "x"_a, "y"_a, nb::kw_only(), "name"_a = "", "upper"_a = nb::none(), "style"_a = "line")
      .def_ro("name", &Series::name, "In the legend; an empty one is not.")
      .def_ro("x", &Series::x, "(n,)")
      .def_ro("y", &Series::y, "(n,)")
      .def_prop_ro(
          "upper", [](const Series& s) { return s.upper.defined() ? std::optional(s.upper) : std::nullopt; },
          "(n,), or None")
      .def_prop_ro(
          "style", [](const Series& s) { return name_of(s.style); }, "\"line\", \"dashes\" or \"points\"");
}

}  // namespace

void bind_charts(nb::module_& m) {
  bind_series(m);
  nb::class_<Chart>(m, "Chart",
                    "Lines, points and bands on one pair of axes; later series cover earlier ones.\n\n"
                    ">>> chart = heed.Chart([heed.Series([0, 1, 2], [1.0, 4.0, 9.0])], x_label=\"n\")\n"
                    ">>> chart.text(columns=40).count(\"\\n\") > 5\nTrue")
      .def(
          "__init__",
          [](Chart* self, const std::vector<Series>& series, const std::string& title,
             const std::string& x_label, const std::string& y_label, const Range& x_range,
             const Range& y_range, const std::string& y_scale) {
            new (self)
                Chart{series,           title, x_label, y_label, to_interval(x_range), to_interval(y_range),
                      to_scale(y_scale)};
          },
          "series"_a, nb::kw_only(), "title"_a = "", "x_label"_a = "", "y_label"_a = "",
          "x_range"_a = nb::none(), "y_range"_a = nb::none(), "y_scale"_a = "linear")
      .def_ro("series", &Chart::series, "What is drawn, in this order.")
      .def_ro("title", &Chart::title, "Above.")
      .def_ro("x_label", &Chart::x_label, "Below.")
      .def_ro("y_label", &Chart::y_label, "At the left.")
      .def_prop_ro(
          "x_range", [](const Chart& c) { return from_interval(c.x_range); }, "What x is cut to, if it is.")
      .def_prop_ro(
          "y_range", [](const Chart& c) { return from_interval(c.y_range); }, "What y is cut to, if it is.")
      .def_prop_ro(
          "y_scale", [](const Chart& c) { return c.y_scale == viz::Scale::kLog ? "log" : "linear"; },
          "\"linear\" or \"log\"")
      .def(
          "svg",
          [](const Chart& c, int width, int height) {
            return viz::svg(c, {width, height});
          },
          nb::kw_only(), "width"_a = 0, "height"_a = 0, WhileComputing(),
          "An SVG document by gnuplot; sizes of 0 suit the figure.")
      .def(
          "save",
          [](const Chart& c, const std::filesystem::path& path, int width, int height) {
            viz::save(path.string(), c, {width, height});
          },
          "path"_a, nb::kw_only(), "width"_a = 0, "height"_a = 0, WhileComputing(),
          nb::sig("def save(self, path: str | os.PathLike[str], *, width: int = 0, height: int = 0) -> None"),
          "To a .svg, .png or .pdf file, by gnuplot.")
      .def(
          "text", [](const Chart& c, int columns) { return viz::text(c, {.columns = columns}); },
          nb::kw_only(), "columns"_a = 80, WhileComputing(), "In characters, for a terminal.")
      .def("__repr__", [](const Chart& c) { return viz::description(c); });
  m.def(
      "downsample",
      [](const Real& matrix, std::int64_t height, std::int64_t width, const std::string& pool) {
        return viz::downsample(Tensor(matrix), {height, width, to_pool(pool, "downsample")});
      },
      "matrix"_a, nb::kw_only(), "height"_a = 512, "width"_a = 512, "pool"_a = "max", WhileComputing(),
      "A picture of a matrix, of at most these sizes: each cell is the largest (\"max\") or the mean "
      "(\"mean\") of the "
      "rectangle it stands for.\n\n>>> heed.downsample(heed.eye(100), height=10, width=20).shape\n(10, 20)");
}

}  // namespace heed::python
