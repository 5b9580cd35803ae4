// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed encode: positional encodings, as a file and as pictures.
#include "commands.h"
#include "file_options.h"
#include "support/figure.h"
#include "support/files.h"
#include "support/numbers.h"
#include "usage.h"

#include <heed/error.h>
#include <heed/io.h>
#include <heed/nn.h>
#include <heed/quote.h>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

namespace {

using heed::Tensor;
namespace nn = heed::nn;
namespace viz = heed::viz;

constexpr std::int64_t kLength = 60, kWidth = 32;

struct Options {
  std::optional<std::int64_t> length, width;
  std::string kind = "sinusoidal", params;
  std::uint64_t seed = 0;
  WriteFlags out;
  std::string columns, plot, heatmap, colours;
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_columns(const std::string& text) {
  return parse_integers(text)
             ? ""
             : fmt::format("{} is not a list of columns, such as 6,7,8,9", heed::in_quotes(text));
}

/// What `--kind learned --out` wrote, or an nn::LearnedPositionalEncoding saved.
Tensor saved_table(const Options& o) {
  const Tensor table = heed::load(o.params);
  const heed::Shape& found = table.shape();
  const bool fits =
      found.rank() == 2 && o.length.value_or(found[0]) == found[0] && o.width.value_or(found[1]) == found[1];
  if (fits && heed::is_floating(table.dtype()) && table.numel() > 0) return table;
  const auto size = [](const std::optional<std::int64_t>& given, const char* name) {
    return given ? std::to_string(*given) : name;
  };
  throw heed::Error(fmt::format("--params: {}: expected floating numbers of shape ({}, {}), found {} of {}",
                                heed::printable(o.params), size(o.length, "length"), size(o.width, "width"),
                                heed::name(table.dtype()), heed::to_string(found)));
}

/// (length, width)
Tensor encoding(const Options& o) {
  const std::int64_t length = o.length.value_or(kLength), width = o.width.value_or(kWidth);
  if (o.kind == "sinusoidal") {
    nn::PositionalEncoding encode({.num_hiddens = width, .max_len = length});
    return encode.P()[0];
  }
  heed::seed(o.seed);
  if (!o.params.empty()) return saved_table(o);
  return nn::LearnedPositionalEncoding({.num_hiddens = width, .max_len = length}).P.detach();
}

std::string title_of(const Tensor& table, const Options& o) {
  return fmt::format("{} encoding of {} positions", o.kind == "learned" ? "Learned" : "Sinusoidal",
                     table.size(0));
}

viz::Chart curves(const Tensor& table, const Options& o) {
  viz::Chart chart{
      .series = {}, .title = title_of(table, o) + ", columns as curves", .x_label = "Row (position)"};
  const std::vector<std::int64_t> columns = *parse_integers(o.columns.empty() ? "6,7,8,9" : o.columns);
  for (const std::int64_t column : columns) {
    if (column < 0 || column >= table.size(1)) {
      throw CLI::ValidationError("--columns",
                                 fmt::format("there is no column {} among {}", column, table.size(1)));
    }
    chart.series.push_back({.name = fmt::format("Col {}", column),
                            .x = heed::arange(table.size(0), heed::f64),
                            .y = table.select(1, column)});
  }
  return chart;
}

viz::Heatmap heatmap(const Tensor& table, const Options& o) {
  viz::Heatmap map{.values = table,
                   .title = title_of(table, o),
                   .x_label = "Column (encoding dimension)",
                   .y_label = "Row (position)"};
  if (!o.colours.empty()) map.colours = parse_colours(o.colours);
  return map;
}

/// Under the name that nn::load() looks for, where the format has names.
void save_table(const Options& o, const Tensor& table) {
  const heed::FileFormat format = format_of(o.out);
  const bool named = format == heed::FileFormat::kNpz || format == heed::FileFormat::kSafetensors;
  if (named && o.kind == "learned") return save_output(o.out, std::map<std::string, Tensor>{{"P", table}});
  save_output(o.out, table);
}

void run(const Options& o) {
  if (o.kind != "learned" && !o.params.empty())
    throw CLI::ValidationError("--params", "only for --kind learned");
  if (!o.columns.empty() && o.plot.empty()) throw CLI::ValidationError("--columns", "only with --plot");
  check_distinct({{"--out", o.out.path}, {"--plot", o.plot}, {"--heatmap", o.heatmap}});
  check_writing(o.out);
  check_figure_output(o.plot);
  check_figure_output(o.heatmap);
  const Tensor table = encoding(o);
  // Everything is made before anything is written.
  const viz::Chart chart = o.plot.empty() ? viz::Chart() : curves(table, o);
  if (o.out.wanted()) save_table(o, table);
  if (!o.plot.empty()) show_figure(o.plot, chart);
  const bool nothing_asked_for = !o.out.wanted() && o.plot.empty() && o.heatmap.empty();
  if (nothing_asked_for || !o.heatmap.empty())
    show_figure(nothing_asked_for ? "-" : o.heatmap, heatmap(table, o));
}

void add_options(CLI::App& command, Options& o) {
  constexpr std::int64_t kMost = 10'000'000;
  command.add_option("--kind", o.kind, "The table")
      ->type_name("sinusoidal|learned")
      ->check(one_of({"sinusoidal", "learned"}))
      ->capture_default_str()
      ->group("Encoding");
  command.add_option("--length", o.length, "Positions")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, kMost).description(""))
      ->default_str(std::to_string(kLength))
      ->group("Encoding");
  command.add_option("--width", o.width, "Numbers for each position")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, kMost).description(""))
      ->default_str(std::to_string(kWidth))
      ->group("Encoding");
  command
      .add_option("--params", o.params,
                  "A learned table that was saved, such as p.safetensors, with its length and width")
      ->type_name("FILE")
      ->group("Encoding");
  command.add_option("--seed", o.seed, "Where a learned table starts from without --params")
      ->type_name("N")
      ->check(check_seed, "")
      ->capture_default_str()
      ->group("Encoding");
  add_writing_options(command, o.out, "Write the table, (length, width)");
  const auto output = [&](const char* name, std::string& place, const char* description, const char* type) {
    return command.add_option(name, place, description)->type_name(type)->group("Output");
  };
  output("--plot", o.plot, "Draw columns as curves: .svg, .png, .pdf, or - for the terminal", "FILE");
  output("--columns", o.columns, "Which columns; 6,7,8,9 otherwise", "LIST")->check(check_columns, "");
  output("--heatmap", o.heatmap, "Draw the table; without any output it is drawn on the terminal", "FILE");
  command
      .add_option("--colours", o.colours,
                  "Of the heatmap; diverging where numbers of both signs are, else reds")
      ->type_name("reds|blues|viridis|diverging")
      ->check(one_of(kColourNames))
      ->group("Output");
}

}  // namespace

void add_encode(CLI::App& app) {
  CLI::App* command = app.add_subcommand("encode", "Make positional encodings, fixed or learned");
  const auto options = std::make_shared<Options>();
  add_options(*command, *options);
  set_example(*command, "heed encode --length 60 --width 32 --out enc.npy --columns 6,7,8,9 --plot -");
  command->callback([options] { run(*options); });
}
