// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed attend: attention over files.
#include "attend/call.h"
#include "attend/weights.h"
#include "commands.h"
#include "file_options.h"
#include "mask_options.h"
#include "support/files.h"
#include "support/numbers.h"
#include "support/progress.h"
#include "support/result.h"
#include "usage.h"

#include <heed/autograd.h>
#include <heed/ops.h>
#include <heed/quote.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

using heed::Tensor;
using heed::command::AttendCall;

struct Options {
  heed::command::AttendFlags call;
  heed::command::WeightsFlags weights;
  ReadFlags read;
  ResultFlags result;
  std::string rows;
  bool quiet = false;

  Show show() const { return quiet ? Show::kNever : Show::kOnTerminal; }
};

/// CLI11's validators return what is wrong, or nothing. A file may hold what it likes here: it is looked at when it is read.
std::string check_bandwidth(const std::string& text) {
  const auto numbers = parse_numbers(text);
  const bool bad = numbers ? std::ranges::any_of(*numbers, [](double h) { return !(h > 0); }) : text == "nan";
  return bad ? fmt::format("bandwidth must be positive, found {}", heed::in_quotes(text)) : "";
}

std::string check_rows(const std::string& text) {
  for (const std::string_view part : split(text, ',')) {
    const auto ends = split(part, ':');
    const bool good = ends.size() <= 2 && std::ranges::all_of(ends, [](std::string_view end) {
                        return parse_integer(end).has_value();
                      });
    if (!good) return fmt::format("{} is not a list of rows, such as 0,5,10:20", heed::in_quotes(text));
  }
  return "";
}

/// "0,5,10:20" -> 0, 5, 10 ... 19.
std::vector<std::int64_t> chosen_rows(const std::string& text, std::int64_t count) {
  std::vector<std::int64_t> rows;
  for (const std::string_view part : text.empty() ? std::vector<std::string_view>() : split(text, ',')) {
    const auto ends = split(part, ':');
    const std::int64_t first = *parse_integer(ends.front());
    const std::int64_t stop = ends.size() == 2 ? *parse_integer(ends.back()) : first + 1;
    if (first < 0 || stop > count || first >= stop) {
      throw CLI::ValidationError("--rows",
                                 fmt::format("there is no {} among {} rows", heed::in_quotes(part), count));
    }
    for (std::int64_t row = first; row < stop; ++row) rows.push_back(row);
  }
  return rows;
}

void check_usage(const Options& o) {
  const auto refuse = [](const char* option, const std::string& why) {
    throw CLI::ValidationError(option, why);
  };
  const heed::command::AttendFlags& call = o.call;
  if ((call.score == "additive") == call.params.empty()) {
    refuse("--params", "--score additive needs it, and only that does");
  }
  if (!call.bandwidth.empty() && call.score != "gaussian") refuse("--bandwidth", "only for --score gaussian");
  if (call.scale && call.score != "scaled-dot") refuse("--scale", "only for --score scaled-dot");
  check_mask_usage(call);
  if (!o.rows.empty() && o.weights.file.empty() && o.weights.heatmap.empty()) {
    refuse("--rows", "chooses among the weights: give --weights or --heatmap too");
  }
  check_result_usage(o.result);
  if (o.result.json && o.weights.heatmap == "-")
    refuse("--heatmap", "- and --json both print; give one of them");
  check_distinct(
      {{"--out", o.result.out.path}, {"--weights", o.weights.file}, {"--heatmap", o.weights.heatmap}});
  int from_standard_input = 0;
  for (const std::string* address : {&call.queries, &call.keys, &call.values, &call.bandwidth, &call.params,
                                     &call.valid_lens, &call.mask, &call.bias}) {
    from_standard_input += *address == "-" || address->starts_with("-:") ? 1 : 0;
  }
  if (from_standard_input > 1) refuse("-", "only one tensor can come from the standard input");
}

/// The output, some rows at a time where that gives the same bits, to say how far it is.
Tensor attended(const AttendCall& call, Show show) {
  Progress progress("attending", "rows", show);
  const double pairs = static_cast<double>(call.batches() * call.heads()) * static_cast<double>(call.rows()) *
                       static_cast<double>(call.keys.size(-2));
  constexpr double kPairsOfABlock = 1e8;
  if (!call.has_parts() || pairs <= kPairsOfABlock)
    return attend(call.queries, call.keys, call.values, call.options());
  const auto block =
      static_cast<std::int64_t>(std::ceil(static_cast<double>(call.rows()) * kPairsOfABlock / pairs));
  heed::Shape shape = call.queries.shape();
  shape[shape.rank() - 1] = call.values.size(-1);
  const Tensor out = heed::empty(shape, call.queries.dtype());
  for (std::int64_t first = 0; first < call.rows(); first += block) {
    const std::int64_t count = std::min(block, call.rows() - first);
    const AttendCall part = call.some_rows(first, count);
    out.slice(-2, {.start = first, .stop = first + count})
        .copy_(attend(part.queries, part.keys, part.values, part.options()));
    progress.report(static_cast<double>(first + count), static_cast<double>(call.rows()));
  }
  return out;
}

/// NaN is passed on as attention's rules say; whoever looks at a file only should hear of it.
void note_nan(const Tensor& out, bool quiet) {
  const auto count = sum((out != out).to(heed::i64)).item<std::int64_t>();
  if (count > 0 && !quiet) {
    fmt::print(stderr, "heed: note: {} of {} numbers of the output are NaN, as are numbers of the input\n",
               count, out.numel());
  }
}

/// Everything is computed before anything is written, and everything is written before anything is printed.
void run(Options& options) {
  const heed::NoGrad guard;
  check_usage(options);
  check_writing(options.result.out);
  check_outputs(options.weights);
  options.read.quiet = options.quiet;
  options.call.csv = csv_options(options.read);
  const AttendCall call = heed::command::read_call(options.call);
  options.weights.rows = chosen_rows(options.rows, call.rows());
  const Tensor out = attended(call, options.show());
  const heed::command::WeightsOutput weights = weights_output(call, options.weights, options.show());
  note_nan(out, options.quiet);
  write_files(weights, options.weights);
  give(options.result, out, options.weights.heatmap == "-" ? Reader::kPerson : reader_of_output());
  print(weights, options.weights);
}

void add_input_options(CLI::App& command, heed::command::AttendFlags& call) {
  const char* group =
      "Input, needed: .npy, .npz:NAME, .safetensors:NAME, .csv, .csv:COLUMN, or - for standard input";
  const auto file = [&](const char* name, std::string& place, const char* description) {
    return command.add_option(name, place, description)->type_name("FILE")->group(group);
  };
  file("--queries", call.queries, "(Lq, D), (B, Lq, D) or (B, H, Lq, D); a column (Lq,) is (Lq, 1)")
      ->required();
  file("--keys", call.keys, "(Lk, D), with the queries' batches and heads")->required();
  file("--values", call.values, "(Lk, Dv), with the keys' batches and heads")->required();
}

void add_score_options(CLI::App& command, heed::command::AttendFlags& call) {
  const char* group = "Score";
  command.add_option("--score", call.score, "How a query and a key are compared")
      ->check(one_of({"scaled-dot", "dot", "gaussian", "additive"}))
      ->type_name("scaled-dot|dot|gaussian|additive")
      ->capture_default_str()
      ->group(group);
  command.add_option("--scale", call.scale, "Of scaled-dot; 1/sqrt(D) otherwise")
      ->type_name("NUMBER")
      ->check(finite())
      ->group(group);
  command.add_option("--bandwidth", call.bandwidth, "Of gaussian: one, or one for each of the D features")
      ->type_name("NUMBER|LIST|FILE")
      ->check(check_bandwidth, "")
      ->group(group);
  command.add_option("--params", call.params, "Of additive: a file with W_q, W_k and w_v")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--softcap", call.softcap, "Scores s become c tanh(s / c)")
      ->type_name("C")
      ->check(positive())
      ->group(group);
  command.add_option("--bias", call.bias, "Added to the scores; broadcasts to them")
      ->type_name("FILE")
      ->group(group);
}

void add_output_options(CLI::App& command, Options& options) {
  const char* group = "Output";
  add_result_options(command, options.result);
  const auto option = [&](const char* name, std::string& place, const char* description, const char* type) {
    return command.add_option(name, place, description)->type_name(type)->group(group);
  };
  option("--weights", options.weights.file, "Write the weights there", "FILE");
  option("--heatmap", options.weights.heatmap, "Draw the weights: .svg, .png, .pdf, or - for the terminal",
         "FILE");
  option("--rows", options.rows, "Only these rows of the weights, such as 0,5,10:20", "LIST")
      ->check(check_rows, "");
  command.add_flag("--quiet", options.quiet, "No progress, no notes")->group(group);
}

}  // namespace

void add_attend(CLI::App& app) {
  CLI::App* command = app.add_subcommand("attend", "Pool values by attention, from files");
  const auto options = std::make_shared<Options>();
  add_input_options(*command, options->call);
  add_reading_options(*command, options->read);
  add_score_options(*command, options->call);
  add_mask_options(*command, options->call);
  add_output_options(*command, *options);
  set_example(*command,
              "printf 'waist,weight\\n51,40\\n56,43\\n58,48\\n' > people.csv\n"
              "echo 57 | heed attend --queries - --keys people.csv:waist --values people.csv:weight --score "
              "gaussian");
  command->callback([options] { run(*options); });
}
