// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed describe: what is in a file.
#include "commands.h"
#include "describe/summary.h"
#include "file_options.h"
#include "support/aligned.h"
#include "support/json.h"
#include "support/output.h"
#include "usage.h"

#include <heed/quote.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

using heed::command::Part;
using heed::command::Summary;

struct Options {
  std::string path;
  ReadFlags read;
  bool json = false;
};

std::string number(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : ""; }

std::string text_of(const std::string& path, const Summary& summary) {
  const bool table = summary.rows.has_value();
  std::string text = fmt::format("{}: {}, ", heed::printable(path), summary.format);
  text += table ? fmt::format("{} rows, {} columns\n", *summary.rows, summary.parts.size())
                : fmt::format("{} tensor{}\n", summary.parts.size(), summary.parts.size() == 1 ? "" : "s");
  const bool some_text = std::ranges::any_of(summary.parts, [](const Part& p) { return !p.example.empty(); });
  std::vector<TextColumn> columns = {{{table ? "column" : "tensor"}, CellAlign::kLeft},
                                     {{table ? "kind" : "dtype"}, CellAlign::kLeft},
                                     {{table ? "missing" : "NaN"}},
                                     {{"min"}},
                                     {{"mean"}},
                                     {{"max"}}};
  if (!table) columns.insert(columns.begin() + 2, {{"shape"}, CellAlign::kLeft});
  if (some_text) columns.push_back({{"first"}, CellAlign::kLeft});
  for (const Part& part : summary.parts) {
    std::vector<std::string> cells = {heed::printable(part.name), part.kind};
    if (!table) cells.push_back(part.shape);
    for (const std::string& cell :
         {fmt::format("{}", part.missing), number(part.min), number(part.mean), number(part.max)})
      cells.push_back(cell);
    if (some_text) cells.push_back(part.example.empty() ? "" : heed::in_quotes(part.example));
    for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return text + aligned(columns);
}

nlohmann::ordered_json number_json(const std::optional<double>& x) {
  return x && std::isfinite(*x) ? nlohmann::ordered_json(*x) : nlohmann::ordered_json();
}

std::string json_text(const std::string& path, const Summary& summary) {
  nlohmann::ordered_json json = {{"file", path}, {"format", summary.format}};
  if (summary.rows) json["rows"] = *summary.rows;
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const Part& part : summary.parts) {
    nlohmann::ordered_json entry = {{"name", part.name}, {summary.rows ? "kind" : "dtype", part.kind}};
    if (!summary.rows) entry["shape"] = part.shape;
    entry["missing"] = part.missing;
    entry["min"] = number_json(part.min);
    entry["mean"] = number_json(part.mean);
    entry["max"] = number_json(part.max);
    if (!part.example.empty()) entry["first"] = part.example;
    parts.push_back(entry);
  }
  json[summary.rows ? "columns" : "tensors"] = parts;
  return dumped(json);
}

}  // namespace

void add_describe(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("describe", "Say what is in a file: columns or tensors, and their numbers");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("FILE", options->path,
                   "A .csv, .npy, .npz or .safetensors file, or - for CSV from standard input")
      ->type_name("FILE")
      ->required();
  add_reading_options(*command, options->read);
  command->add_flag("--json", options->json, "As JSON")->group("Output");
  command->add_flag("--quiet", options->read.quiet, "No notes")->group("Output");
  set_example(*command,
              "printf 'day;waist;weight\\n1 May;51,5;40\\n2 May;56;N/A\\n' > people.csv\n"
              "heed describe people.csv --quiet");
  command->callback([options] {
    const Summary summary = heed::command::summary_of(options->path, csv_options(options->read));
    print(options->json ? json_text(options->path, summary) : text_of(options->path, summary));
  });
}
