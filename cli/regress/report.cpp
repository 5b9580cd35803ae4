// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regress/report.h"

#include "support/aligned.h"
#include "support/files.h"
#include "support/json.h"

#include <heed/ops.h>
#include <heed/quote.h>
#include <heed/viz.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace heed::command {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double x) { return std::isnan(x) ? "undefined" : fmt::format("{:.4g}", x); }

/// In columns of a terminal, of which a Chinese character takes two.
std::size_t width(const std::string& text) { return static_cast<std::size_t>(viz::display_width(text)); }

Table table_of(const Sample& sample, const Predictions& p) {
  Table table;
  const auto add = [&](const std::vector<std::string>& names, const Tensor& columns, const char* suffix) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      table.add(names[i] + suffix, columns.select(1, static_cast<std::int64_t>(i)));
    }
  };
  add(sample.x_names, p.places, "");
  add(sample.y_names, p.values, "");
  add(sample.y_names, p.standard_errors, "_se");
  add(sample.y_names, p.lower(), "_lower");
  add(sample.y_names, p.upper(), "_upper");
  return table;
}

/// For programs; a name of the data's own stays its own.
Table table_with_marks(const Sample& sample, const Predictions& p) {
  Table table = table_of(sample, p);
  const auto free = [&](std::string name) {
    while (std::ranges::find(table.names(), name) != table.names().end()) name += '_';
    return name;
  };
  table.add(free("neighbours"), p.neighbours);
  table.add(free("outside"), p.outside.to(i64));
  return table;
}

std::string mark(bool outside, double neighbours) {
  if (outside) return "outside";
  return neighbours < kFewNeighbours ? "few points" : "";
}

std::string text_of(const Sample& sample, const Predictions& p) {
  const Table table = table_of(sample, p);
  std::vector<TextColumn> columns;
  for (const std::string& name : table.names()) {
    TextColumn& column = columns.emplace_back();
    column.cells.push_back(printable(name));
    for (const double x : table.numbers(name).to_vector()) column.cells.push_back(fmt::format("{:.6g}", x));
  }
  TextColumn marks{.cells = {""}, .align = CellAlign::kLeft};
  const std::vector<double> outside = p.outside.to_vector(), neighbours = p.neighbours.to_vector();
  for (std::size_t i = 0; i < outside.size(); ++i)
    marks.cells.push_back(mark(outside[i] != 0, neighbours[i]));
  columns.push_back(std::move(marks));
  return aligned(columns);
}

std::string bandwidth_text(const Sample& sample, const Fit& fit) {
  const std::vector<double> h = fit.model.bandwidth().to_vector();
  std::string text;
  for (std::size_t d = 0; d < h.size(); ++d) {
    text += fmt::format("{}{} {:.6g}", d == 0 ? "" : ", ", printable(sample.x_names[d]), h[d]);
    if (std::isinf(h[d]) && fit.chosen_by != "given") text += " (tells nothing of y)";
  }
  return text;
}

}  // namespace

std::string report_text(const Sample& sample, const Fit& fit, const Predictions* predictions) {
  std::string text;
  const auto line = [&](const std::string& label, const std::string& what) {
    constexpr std::size_t kLabelWidth = 10;
    text += label + std::string(kLabelWidth - std::min(kLabelWidth, width(label)), ' ') + " " + what + "\n";
  };
  line("rows", fmt::format("{} used, {} dropped for missing values", sample.x.size(0), sample.dropped));
  line("bandwidth", fmt::format("{}, {}{}", bandwidth_text(sample, fit),
                                fit.chosen_by == "given" ? "as " : "by ", fit.chosen_by));
  for (std::size_t m = 0; m < sample.y_names.size(); ++m) {
    const auto of = [m](const Tensor& outputs) { return outputs.at({static_cast<std::int64_t>(m)}); };
    line(printable(sample.y_names[m]),
         fmt::format("leave-one-out error {} (mean square), {} (root), R² {} ({} in sample)",
                     number(of(fit.left_out.mean_squared_error)),
                     number(std::sqrt(of(fit.left_out.mean_squared_error))),
                     number(of(fit.left_out.r_squared)), number(of(fit.in_sample.r_squared))));
  }
  for (const std::string& warning : fit.warnings) line("warning", printable(warning));
  if (predictions) text += "\n" + text_of(sample, *predictions);
  return text;
}

std::string report_json(const Sample& sample, const Fit& fit, const Predictions* predictions) {
  Json json = {{"rows", sample.x.size(0)},
               {"dropped", sample.dropped},
               {"x", sample.x_names},
               {"y", sample.y_names},
               {"bandwidth", json_of(fit.model.bandwidth())},
               {"chosen_by", fit.chosen_by},
               {"leave_one_out_error", json_of(fit.left_out.mean_squared_error)},
               {"leave_one_out_rmse", json_of(heed::sqrt(fit.left_out.mean_squared_error))},
               {"r_squared", json_of(fit.in_sample.r_squared)},
               {"leave_one_out_r_squared", json_of(fit.left_out.r_squared)},
               {"warnings", fit.warnings}};
  if (!fit.losses.empty()) json["losses"] = fit.losses;
  if (predictions) {
    json["predictions"] = {{"x", json_of(predictions->places)},
                           {"y", json_of(predictions->values)},
                           {"standard_error", json_of(predictions->standard_errors)},
                           {"lower", json_of(predictions->lower())},
                           {"upper", json_of(predictions->upper())},
                           {"neighbours", json_of(predictions->neighbours)},
                           {"outside", json_of(predictions->outside.to(boolean))}};
  }
  return dumped(json);
}

void save_predictions(const WriteFlags& out, const Sample& sample, const Predictions& predictions) {
  const FileFormat format = format_of(out);
  if (format == FileFormat::kCsv) return save_output(out, table_with_marks(sample, predictions));
  if (format == FileFormat::kNpy) return save_output(out, predictions.values);
  save_output(out, std::map<std::string, Tensor>{{"x", predictions.places},
                                                 {"y", predictions.values},
                                                 {"y_se", predictions.standard_errors},
                                                 {"y_lower", predictions.lower()},
                                                 {"y_upper", predictions.upper()},
                                                 {"neighbours", predictions.neighbours},
                                                 {"outside", predictions.outside.to(boolean)}});
}

std::string note_on(const Predictions& predictions) {
  const std::vector<double> outside = predictions.outside.to_vector(),
                            neighbours = predictions.neighbours.to_vector();
  const auto beyond = std::ranges::count_if(outside, [](double x) { return x != 0; });
  const auto few = std::ranges::count_if(neighbours, [](double n) { return n < kFewNeighbours; });
  std::vector<std::string> parts;
  if (beyond > 0)
    parts.push_back(fmt::format("{} {} outside the data", beyond, beyond == 1 ? "lies" : "lie"));
  if (few > 0) {
    parts.push_back(fmt::format("{} {} on fewer than {} effective neighbours", few,
                                few == 1 ? "rests" : "rest", kFewNeighbours));
  }
  return parts.empty() ? "" : fmt::format("of {} predictions, {}", outside.size(), fmt::join(parts, " and "));
}

}  // namespace heed::command
