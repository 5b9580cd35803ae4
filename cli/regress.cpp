// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed regress: Nadaraya-Watson regression of columns of a table.
#include "commands.h"
#include "file_options.h"
#include "regress/fit.h"
#include "regress/maps.h"
#include "regress/picture.h"
#include "regress/places.h"
#include "regress/report.h"
#include "support/figure.h"
#include "support/files.h"
#include "support/numbers.h"
#include "support/output.h"
#include "usage.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

namespace {

using namespace heed::command;

struct Options {
  std::string data;
  ColumnNames names;
  std::string bandwidth;
  bool learn = false;
  int epochs = 50;
  double lr = 0.5;
  std::vector<std::string> at;
  ReadFlags read;
  WriteFlags out;
  std::string plot, weights, losses;
  bool json = false, quiet = false;
};

/// CLI11's validators return what is wrong, or nothing.
std::string check_bandwidth(const std::string& text) {
  const auto numbers = parse_numbers(text);
  const bool good = numbers && std::ranges::all_of(*numbers, [](double h) { return h > 0; });
  return good ? ""
              : fmt::format("{} is not a positive number, or a list of them such as 2,0.5",
                            heed::in_quotes(text));
}

FitFlags fit_flags(const Options& o) {
  FitFlags flags{.learn = o.learn, .learning = {.epochs = o.epochs, .lr = o.lr}};
  if (o.bandwidth.empty()) return flags;
  flags.bandwidth = *parse_numbers(o.bandwidth);
  const std::size_t D = o.names.x.size();
  if (flags.bandwidth.size() == 1 || flags.bandwidth.size() == D) return flags;
  throw CLI::ValidationError(
      "--bandwidth",
      fmt::format("expected one number, or one for each of {} columns, found {}", D, flags.bandwidth.size()));
}

void check_usage(const Options& o) {
  std::set<std::string> seen;
  for (const auto* names : {&o.names.x, &o.names.y}) {
    for (const std::string& name : *names) {
      if (!seen.insert(name).second)
        throw CLI::ValidationError("--x, --y", fmt::format("{} is named twice", heed::in_quotes(name)));
    }
  }
  if (!o.plot.empty() && o.names.x.size() > 1) {
    throw CLI::ValidationError("--plot", fmt::format("draws one x column, found {}", o.names.x.size()));
  }
  for (const auto& [name, path] :
       {std::pair("--plot", &o.plot), {"--weights", &o.weights}, {"--losses", &o.losses}}) {
    if (o.json && *path == "-") throw CLI::ValidationError(name, "- and --json both print; give one of them");
  }
  check_distinct(
      {{"--out", o.out.path}, {"--plot", o.plot}, {"--weights", o.weights}, {"--losses", o.losses}});
  if (o.json && o.out.to_standard_output())
    throw CLI::ValidationError("--json", "--out, --format and --sep print too; give one of them");
  const bool at_input = std::ranges::find(o.at, "-") != o.at.end();
  if (o.data == "-" && at_input) {
    throw CLI::ValidationError("--at", "the standard input holds the data already");
  }
}

void run(const Options& o) {
  check_figure_output(o.weights);
  check_figure_output(o.losses);
  check_usage(o);
  const FitFlags flags = fit_flags(o);
  check_writing(o.out);
  check_figure_output(o.plot);
  ReadFlags read = o.read;
  read.quiet = o.quiet;
  const heed::CsvOptions csv = csv_options(read);
  const Sample sample = read_sample(o.data, o.names, csv);
  // Read before the work too: what is wrong with it should show at once.
  std::optional<heed::Tensor> places;
  if (!o.at.empty()) places = read_places(o.at, o.names.x, csv);

  const Show show = o.quiet ? Show::kNever : Show::kOnTerminal;
  const Fit fitted = fit(sample, flags, show);
  std::optional<Predictions> predictions;
  if (places || o.out.wanted()) {
    Progress progress("predicting", "rows", show);
    predictions = predict(fitted, places.value_or(sample.x));
  }
  const std::string note = predictions && !o.quiet ? note_on(*predictions) : "";
  if (!note.empty()) fmt::print(stderr, "heed: note: {}\n", note);
  if (o.out.wanted()) save_predictions(o.out, sample, *predictions);
  const Predictions* printed = places && !o.out.wanted() ? &*predictions : nullptr;
  if (!o.plot.empty()) draw_fit(o.plot, sample, fitted);
  if (!o.weights.empty()) show_figure(o.weights, weight_map(sample, fitted));
  if (!o.losses.empty()) show_figure(o.losses, loss_chart(fitted.losses));
  if (o.json) return print(report_json(sample, fitted, printed));
  // Where the predictions are the output, what there is to say of them must not stand among them.
  if (!o.out.to_standard_output()) return print(report_text(sample, fitted, printed));
  if (!o.quiet) fmt::print(stderr, "{}", report_text(sample, fitted, nullptr));
}

}  // namespace

void add_regress(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("regress", "Fit a curve to columns of a CSV file by Nadaraya-Watson regression");
  const auto options = std::make_shared<Options>();
  const char* data = "Columns, needed";
  command->add_option("DATA", options->data, "A CSV file, or - for standard input")
      ->type_name("FILE")
      ->required();
  command->add_option("--x", options->names.x, "Columns to predict from")
      ->type_name("COLUMN")
      ->required()
      ->group(data);
  command->add_option("--y", options->names.y, "Columns to predict")
      ->type_name("COLUMN")
      ->required()
      ->group(data);

  add_reading_options(*command, options->read);
  const char* bandwidth = "Bandwidth: chosen by leave-one-out cross-validation, unless";
  CLI::Option* given =
      command->add_option("--bandwidth", options->bandwidth, "This one, or one for each x column")
          ->type_name("NUMBER|LIST")
          ->check(check_bandwidth, "")
          ->group(bandwidth);
  CLI::Option* learn =
      command->add_flag("--learn-bandwidth", options->learn, "Learned, by gradient descent on its inverse")
          ->excludes(given)
          ->group(bandwidth);
  command->add_option("--epochs", options->epochs, "Of learning")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000).description(""))
      ->needs(learn)
      ->capture_default_str()
      ->group(bandwidth);
  command->add_option("--lr", options->lr, "Learning rate; halved when a step would go too far")
      ->type_name("NUMBER")
      ->check(positive())
      ->needs(learn)
      ->capture_default_str()
      ->group(bandwidth);

  const char* output = "Output";
  command
      ->add_option("--at", options->at, "Predict at numbers, at a grid start:stop:count, or at a file's rows")
      ->type_name("NUMBER|GRID|FILE")
      ->group(output);
  add_writing_options(*command, options->out,
                      "Write predictions there, at the data's own x without --at, with lower and upper: 1.96 "
                      "standard errors, "
                      "in which bias is left out");
  command
      ->add_option("--plot", options->plot,
                   "Draw points, curve and band: .svg, .png, .pdf, or - for the terminal")
      ->type_name("FILE")
      ->group(output);
  command
      ->add_option("--weights", options->weights,
                   "Draw which points look at which, sorted by the first x column")
      ->type_name("FILE")
      ->group(output);
  command->add_option("--losses", options->losses, "Draw the loss of --learn-bandwidth")
      ->type_name("FILE")
      ->needs(learn)
      ->group(output);
  command->add_flag("--json", options->json, "Print as JSON; what is infinite or undefined is null")
      ->group(output);
  command->add_flag("--quiet", options->quiet, "No progress, no notes")->group(output);
  set_example(*command,
              "printf 'waist,weight\\n51,40\\n56,43\\n58,48\\n60,47\\n65,55\\n' > people.csv\n"
              "heed regress people.csv --x waist --y weight --at 57");
  command->callback([options] { run(*options); });
}
