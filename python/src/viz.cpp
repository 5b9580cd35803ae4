#include "bind.h"

#include <heed/error.h>
#include <heed/viz.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace heed::python {
namespace {

using Names = std::vector<std::string>;

viz::Colours to_colours(const std::string& name) {
  if (name == "Reds") return viz::Colours::kReds;
  if (name == "Blues") return viz::Colours::kBlues;
  if (name == "viridis") return viz::Colours::kViridis;
  throw Error("Heatmap: colours must be \"Reds\", \"Blues\" or \"viridis\", found \"" + name + "\"");
}

}  // namespace

void bind_viz(nb::module_& m) {
  using viz::Heatmap;
  nb::class_<Heatmap>(
      m, "Heatmap",
      "Matrices in shades of colour, query down and key across: (Lq, Lk), (n, Lq, Lk) or (rows, columns, "
      "Lq, Lk). A notebook shows it; gnuplot draws it.\n\n"
      ">>> print(heed.Heatmap(heed.eye(2)).text(columns=40).count(\"\\n\") > 1)\nTrue")
      .def(
          "__init__",
          [](Heatmap* self, const Input& values, const std::string& title, const std::string& x_label,
             const std::string& y_label, const Names& panel_titles, const Names& queries, const Names& keys,
             const std::string& colours, std::optional<std::pair<double, double>> range) {
            std::optional<viz::Interval> interval;
            if (range) interval = viz::Interval{range->first, range->second};
            new (self)
                Heatmap{values.detach().clone(), title,    x_label,     y_label, panel_titles, queries, keys,
                        to_colours(colours),     interval, std::nullopt};
          },
          "values"_a, nb::kw_only(), "title"_a = "", "x_label"_a = "", "y_label"_a = "",
          "panel_titles"_a = nb::tuple(), "queries"_a = nb::tuple(), "keys"_a = nb::tuple(),
          "colours"_a = "Reds", "range"_a = nb::none())
      .def_ro("values", &Heatmap::values, "What is drawn.")
      .def(
          "svg",
          [](const Heatmap& h, int width, int height) {
            return viz::svg(h, {width, height});
          },
          nb::kw_only(), "width"_a = 0, "height"_a = 0, WhileComputing(),
          "An SVG document; sizes of 0 suit the figure.")
      .def(
          "save",
          [](const Heatmap& h, const std::filesystem::path& path, int width, int height) {
            viz::save(path.string(), h, {width, height});
          },
          "path"_a, nb::kw_only(), "width"_a = 0, "height"_a = 0, WhileComputing(),
          nb::sig("def save(self, path: str | os.PathLike[str], *, width: int = 0, height: int = 0) -> None"),
          "To a .svg, .png or .pdf file.")
      .def(
          "text", [](const Heatmap& h, int columns) { return viz::text(h, {.columns = columns}); },
          nb::kw_only(), "columns"_a = 80, "In characters, for a terminal.")
      .def("__repr__", [](const Heatmap& h) { return viz::description(h); });
}

}  // namespace heed::python
