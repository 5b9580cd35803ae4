// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"
#include "pictures.h"
#include "shown.h"

#include <heed/error.h>
#include <heed/viz.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

namespace heed::python {
namespace {

using Names = std::vector<std::string>;

using Named = std::pair<const char*, viz::Colours>;
constexpr Named kColours[] = {{"Reds", viz::Colours::kReds},
                              {"Blues", viz::Colours::kBlues},
                              {"viridis", viz::Colours::kViridis},
                              {"RdBu_r", viz::Colours::kDiverging}};

std::optional<viz::Colours> to_colours(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const auto* found = std::ranges::find(kColours, *name, &Named::first);
  if (found != std::end(kColours)) return found->second;
  throw Error("Heatmap: colours must be \"Reds\", \"Blues\", \"viridis\" or \"RdBu_r\", found " +
              shown(*name));
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
          [](Heatmap* self, const Real& values, const std::optional<Input>& mask, const std::string& title,
             const std::string& x_label, const std::string& y_label, const Names& panel_titles,
             const Names& queries, const Names& keys, const std::optional<Real>& query_places,
             const std::optional<Real>& key_places, const std::optional<std::string>& colours,
             std::optional<std::pair<double, double>> range, const std::optional<std::string>& pool) {
            const auto copy = [](const Tensor& x) { return x.detach().clone(); };
            Heatmap map{.values = copy(values),
                        .mask = mask ? copy(*mask) : Tensor(),
                        .title = title,
                        .x_label = x_label,
                        .y_label = y_label,
                        .panel_titles = panel_titles,
                        .queries = queries,
                        .keys = keys,
                        .query_places = query_places ? copy(*query_places) : Tensor(),
                        .key_places = key_places ? copy(*key_places) : Tensor(),
                        .colours = to_colours(colours)};
            if (range) map.range = viz::Interval{range->first, range->second};
            if (pool) map.pool = to_pool(*pool, "Heatmap");
            new (self) Heatmap(std::move(map));
          },
          "values"_a, nb::kw_only(), "mask"_a = nb::none(), "title"_a = "", "x_label"_a = "",
          "y_label"_a = "", "panel_titles"_a = nb::tuple(), "queries"_a = nb::tuple(), "keys"_a = nb::tuple(),
          "query_places"_a = nb::none(), "key_places"_a = nb::none(), "colours"_a = nb::none(),
          "range"_a = nb::none(), "pool"_a = nb::none())
      .def_ro("values", &Heatmap::values, "What is drawn.")
      .def_prop_ro(
          "mask", [](const Heatmap& h) { return h.mask.defined() ? std::optional(h.mask) : std::nullopt; },
          "What is drawn as masked: False there; None if nothing is.")
      .def_ro("title", &Heatmap::title, "Above all panels.")
      .def_ro("x_label", &Heatmap::x_label, "What the columns are.")
      .def_ro("y_label", &Heatmap::y_label, "What the rows are.")
      .def_ro("panel_titles", &Heatmap::panel_titles, "None, one per column of panels, or one per panel.")
      .def_ro("queries", &Heatmap::queries, "Names of the rows, if they have any.")
      .def_ro("keys", &Heatmap::keys, "Names of the columns, if they have any.")
      .def_prop_ro(
          "colours",
          [](const Heatmap& h) {
            return std::ranges::find(kColours, viz::colour_map(h), &Named::second)->first;
          },
          "The colour map, by matplotlib's name.")
      .def_prop_ro(
          "range",
          [](const Heatmap& h) {
            const viz::Interval range = viz::colour_range(h);
            return std::pair(range.low, range.high);
          },
          "What the ends of the colour scale stand for.")
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
          nb::kw_only(), "columns"_a = 80, WhileComputing(), "In characters, for a terminal.")
      .def("__repr__", [](const Heatmap& h) { return viz::description(h); });
}

}  // namespace heed::python
