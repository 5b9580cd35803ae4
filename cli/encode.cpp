// heed encode: positional encodings, as a file and as pictures.
#include "commands.h"
#include "support/figure.h"
#include "support/files.h"
#include "support/numbers.h"
#include "usage.h"

#include <heed/error.h>
#include <heed/nn.h>

#include <fmt/format.h>

#include <memory>

namespace {

using heed::Tensor;
namespace nn = heed::nn;
namespace viz = heed::viz;

struct Options {
  std::int64_t length = 60, width = 32;
  std::string kind = "sinusoidal", params;
  std::uint64_t seed = 0;
  std::string out, columns, plot, heatmap, colours;
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_columns(const std::string& text) {
  return parse_integers(text) ? "" : fmt::format("'{}' is not a list of columns, such as 6,7,8,9", text);
}

/// (length, width)
Tensor encoding(const Options& o) {
  if (o.kind == "sinusoidal") {
    nn::PositionalEncoding encode({.num_hiddens = o.width, .max_len = o.length});
    return encode.P()[0];
  }
  heed::seed(o.seed);
  nn::LearnedPositionalEncoding encode({.num_hiddens = o.width, .max_len = o.length});
  if (!o.params.empty()) nn::load(encode, o.params);
  return encode.P.detach();
}

viz::Chart curves(const Tensor& table, const Options& o) {
  viz::Chart chart{.series = {}, .x_label = "Row (position)"};
  const std::vector<std::int64_t> columns = *parse_integers(o.columns.empty() ? "6,7,8,9" : o.columns);
  for (const std::int64_t column : columns) {
    if (column < 0 || column >= o.width) {
      throw CLI::ValidationError("--columns", fmt::format("there is no column {} among {}", column, o.width));
    }
    chart.series.push_back({.name = fmt::format("Col {}", column),
                            .x = heed::arange(o.length, heed::f64),
                            .y = table.select(1, column)});
  }
  return chart;
}

viz::Heatmap heatmap(const Tensor& table, const Options& o) {
  viz::Heatmap map{.values = table, .x_label = "Column (encoding dimension)", .y_label = "Row (position)"};
  if (!o.colours.empty()) map.colours = parse_colours(o.colours);
  return map;
}

void run(const Options& o) {
  if (o.kind != "learned" && !o.params.empty())
    throw CLI::ValidationError("--params", "only for --kind learned");
  if (!o.columns.empty() && o.plot.empty()) throw CLI::ValidationError("--columns", "only with --plot");
  check_output(o.out, kTensorSuffixes);
  check_figure_output(o.plot);
  check_figure_output(o.heatmap);
  const Tensor table = encoding(o);
  // Everything is made before anything is written.
  const viz::Chart chart = o.plot.empty() ? viz::Chart() : curves(table, o);
  if (!o.out.empty()) save_output(o.out, table);
  if (!o.plot.empty()) show_figure(o.plot, chart);
  const bool nothing_asked_for = o.out.empty() && o.plot.empty() && o.heatmap.empty();
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
      ->capture_default_str()
      ->group("Encoding");
  command.add_option("--width", o.width, "Numbers for each position")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, kMost).description(""))
      ->capture_default_str()
      ->group("Encoding");
  command.add_option("--params", o.params, "A learned table that was saved, such as p.safetensors")
      ->type_name("FILE")
      ->group("Encoding");
  command.add_option("--seed", o.seed, "Where a learned table starts from without --params")
      ->type_name("N")
      ->check(check_seed, "")
      ->capture_default_str()
      ->group("Encoding");
  const auto output = [&](const char* name, std::string& place, const char* description, const char* type) {
    return command.add_option(name, place, description)->type_name(type)->group("Output");
  };
  output("--out", o.out, "Write the table, (length, width), to this .npy, .npz, .safetensors or .csv file",
         "FILE");
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
