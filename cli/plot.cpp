// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed plot: a picture of any tensor in a file.
#include "commands.h"
#include "file_options.h"
#include "support/figure.h"
#include "support/numbers.h"
#include "usage.h"

#include <heed/error.h>
#include <heed/io.h>
#include <heed/ops.h>
#include <heed/quote.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>

namespace {

using heed::Error;
using heed::Tensor;
namespace viz = heed::viz;

struct Options {
  ReadFlags read;
  std::string address, kind, part, x, columns;
  std::string title, x_label, y_label, panel_titles, queries, keys, names;
  std::string colours, pool, range, size, out = "-";
  bool log = false;
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_integers(const std::string& text) {
  return parse_integers(text)
             ? ""
             : fmt::format("{} is not a list of whole numbers, such as 0,2", heed::in_quotes(text));
}
std::string check_range(const std::string& text) {
  const auto ends = parse_numbers(text);
  return ends && ends->size() == 2 ? "" : fmt::format("{} is not LOW,HIGH", heed::in_quotes(text));
}
std::string check_size(const std::string& text) {
  const auto size = parse_integers(text);
  const bool good = size && size->size() == 2 && size->front() > 0 && size->back() > 0 &&
                    size->front() <= 10000 && size->back() <= 10000;
  return good ? "" : fmt::format("{} is not WIDTH,HEIGHT in pixels, 10000 at most", heed::in_quotes(text));
}

std::optional<viz::Interval> interval(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::vector<double> ends = *parse_numbers(text);
  return viz::Interval{ends[0], ends[1]};
}

/// The tensor, or the part of it that was asked for.
Tensor loaded(const Options& o) {
  Tensor x = heed::load(o.address, csv_options(o.read));
  for (const std::int64_t index : o.part.empty() ? std::vector<std::int64_t>() : *parse_integers(o.part)) {
    if (x.rank() == 0 || index < 0 || index >= x.size(0)) {
      throw Error(fmt::format("--part: there is no part {} of {}, which is {}", index, o.address,
                              heed::to_string(x.shape())));
    }
    x = x[index];
  }
  return x;
}

viz::Heatmap heatmap_of(const Tensor& x, const Options& o) {
  viz::Heatmap map{.values = x,
                   .title = o.title,
                   .x_label = o.x_label,
                   .y_label = o.y_label,
                   .panel_titles = parse_labels(o.panel_titles),
                   .queries = parse_labels(o.queries),
                   .keys = parse_labels(o.keys),
                   .range = interval(o.range)};
  if (!o.colours.empty()) map.colours = parse_colours(o.colours);
  if (!o.pool.empty()) map.pool = o.pool == "mean" ? viz::Pool::kMean : viz::Pool::kMax;
  return map;
}

/// Names for the columns: those given, those of a CSV file, or their numbers.
std::vector<std::string> names_of(const Tensor& x, const Options& o) {
  std::vector<std::string> names = parse_labels(o.names);
  const std::int64_t count = x.size(1);
  if (!names.empty() && static_cast<std::int64_t>(names.size()) != count) {
    throw Error(fmt::format("--names: expected {}, one for each column, found {}", count, names.size()));
  }
  if (names.empty() && o.part.empty() && o.address.ends_with(".csv"))
    names = heed::load_table(o.address, csv_options(o.read)).names();
  for (std::int64_t j = 0; static_cast<std::int64_t>(names.size()) < count; ++j) {
    names.push_back(count == 1 ? "" : fmt::format("column {}", j));
  }
  return names;
}

viz::Chart lines_of(const Tensor& tensor, const Options& o) {
  constexpr std::int64_t kMostLines = 30;
  if (tensor.rank() < 1 || tensor.rank() > 2) {
    throw Error(
        fmt::format("{}: lines need (n,) or (n, columns), found {}; --part picks from more dimensions",
                    o.address, heed::to_string(tensor.shape())));
  }
  const Tensor matrix = tensor.rank() == 1 ? tensor.unsqueeze(1) : tensor;
  const std::vector<std::string> names = names_of(matrix, o);
  std::vector<std::int64_t> columns;
  if (!o.columns.empty()) columns = *parse_integers(o.columns);
  for (std::int64_t j = 0; o.columns.empty() && j < matrix.size(1); ++j) columns.push_back(j);
  if (static_cast<std::int64_t>(columns.size()) > kMostLines) {
    throw Error(fmt::format("{}: {} lines are too many to tell apart, expected at most {}; --columns chooses",
                            o.address, columns.size(), kMostLines));
  }
  const Tensor x =
      o.x.empty() ? heed::arange(matrix.size(0), heed::f64) : heed::load(o.x, csv_options(o.read));
  viz::Chart chart{.series = {},
                   .title = o.title,
                   .x_label = o.x_label,
                   .y_label = o.y_label,
                   .y_range = interval(o.range),
                   .y_scale = o.log ? viz::Scale::kLog : viz::Scale::kLinear};
  for (const std::int64_t j : columns) {
    if (j < 0 || j >= matrix.size(1)) {
      throw Error(
          fmt::format("--columns: there is no column {} in {}, which has {}", j, o.address, matrix.size(1)));
    }
    chart.series.push_back({.name = names[static_cast<std::size_t>(j)], .x = x, .y = matrix.select(1, j)});
  }
  return chart;
}

/// What was given for the other kind of picture would be lost.
void check_options(const Options& o, bool lines) {
  struct Given {
    const char* option;
    bool given;
    const char* instead;
  };
  const Given of_lines[] = {{"--names", !o.names.empty(), "--queries and --keys name rows and columns"},
                            {"--x", !o.x.empty(), "--queries and --keys name rows and columns"},
                            {"--columns", !o.columns.empty(), "--part picks from more dimensions"},
                            {"--log", o.log, "--range sets the ends of the colours"}};
  const Given of_heatmaps[] = {{"--queries", !o.queries.empty(), "--names names the lines"},
                               {"--keys", !o.keys.empty(), "--names names the lines"},
                               {"--panel-titles", !o.panel_titles.empty(), "--names names the lines"},
                               {"--colours", !o.colours.empty(), "lines have colours of their own"},
                               {"--pool", !o.pool.empty(), "lines keep the least and the largest of many"}};
  for (const Given& g : lines ? std::span<const Given>(of_heatmaps) : std::span<const Given>(of_lines)) {
    if (!g.given) continue;
    throw CLI::ValidationError(
        g.option, fmt::format("only for {}: {}; --kind chooses", lines ? "heatmaps" : "lines", g.instead));
  }
}

void run(const Options& o) {
  check_figure_output(o.out);
  const Tensor x = loaded(o);
  const bool lines = o.kind.empty() ? x.rank() < 2 : o.kind == "lines";
  check_options(o, lines);
  viz::Canvas canvas;
  if (!o.size.empty()) {
    const std::vector<std::int64_t> size = *parse_integers(o.size);
    canvas = {.width = static_cast<int>(size[0]), .height = static_cast<int>(size[1])};
  }
  show_figure(o.out, lines ? viz::Figure(lines_of(x, o)) : viz::Figure(heatmap_of(x, o)), canvas);
}

void add_options(CLI::App& command, Options& o) {
  const auto option = [&](const char* group, const char* name, std::string& place, const char* description) {
    return command.add_option(name, place, description)->group(group);
  };
  command
      .add_option("FILE", o.address,
                  "The tensor: x.npy, x.npz:name, x.safetensors:name, x.csv, x.csv:column or -")
      ->required();
  add_reading_options(command, o.read);
  option("What", "--kind", o.kind, "Without: lines for one dimension, a heatmap for more")
      ->type_name("heatmap|lines")
      ->check(one_of({"heatmap", "lines"}));
  option("What", "--part", o.part, "Only this part: indices of the first dimensions, such as 0,2")
      ->type_name("LIST")
      ->check(check_integers, "");
  option("What", "--columns", o.columns, "Lines of these columns only")
      ->type_name("LIST")
      ->check(check_integers, "");
  option("What", "--x", o.x, "Where lines are along x: the address of a tensor")->type_name("FILE");
  option("Labels", "--title", o.title, "Above everything")->type_name("TEXT");
  option("Labels", "--x-label", o.x_label, "Under the axis across")->type_name("TEXT");
  option("Labels", "--y-label", o.y_label, "Beside the axis down")->type_name("TEXT");
  option("Labels", "--panel-titles", o.panel_titles,
         "One for each panel, or for each column of panels: a,b or @FILE")
      ->type_name("LIST");
  option("Labels", "--queries", o.queries, "A name for each row of a heatmap: a,b,c or @FILE, one a line")
      ->type_name("LIST");
  option("Labels", "--keys", o.keys, "A name for each column of a heatmap")->type_name("LIST");
  option("Labels", "--names", o.names, "A name for each line")->type_name("LIST");
  option("Look", "--colours", o.colours, "Of a heatmap; diverging where numbers of both signs are, else reds")
      ->type_name("reds|blues|viridis|diverging")
      ->check(one_of(kColourNames));
  option("Look", "--range", o.range, "What the ends of the colours, or of y, stand for")
      ->type_name("LOW,HIGH")
      ->check(check_range, "");
  option("Look", "--pool", o.pool,
         "What a cell shows that stands for many; the mean if some are negative, else max")
      ->type_name("max|mean")
      ->check(one_of({"max", "mean"}));
  command.add_flag("--log", o.log, "A logarithmic scale for lines")->group("Look");
  option("Output", "--out", o.out, "A .svg, .png or .pdf file, or - for the terminal")
      ->type_name("FILE")
      ->capture_default_str();
  option("Output", "--size", o.size, "Of the picture in pixels")
      ->type_name("WIDTH,HEIGHT")
      ->check(check_size, "");
}

}  // namespace

void add_plot(CLI::App& app) {
  CLI::App* command = app.add_subcommand("plot", "Draw a tensor from a file as heatmaps or lines");
  const auto options = std::make_shared<Options>();
  add_options(*command, *options);
  set_example(*command,
              "printf '0.8,0.2,0\\n0,1,0\\n0.3,0.1,0.6\\n' > weights.csv\n"
              "heed plot weights.csv --kind heatmap --queries 我,吃,苹果 --keys 我,吃,苹果");
  command->callback([options] { run(*options); });
}
