#include "regress/report.h"

#include "support/files.h"
#include "support/json.h"

#include <heed/viz.h>

#include <fmt/format.h>

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
  return table;
}

/// Right-aligned columns under their names.
std::string aligned(const Table& table) {
  std::vector<std::vector<std::string>> columns;
  for (const std::string& name : table.names()) {
    std::vector<std::string> cells = {name};
    for (const double x : table.numbers(name).to_vector()) cells.push_back(fmt::format("{:.6g}", x));
    std::size_t widest = 0;
    for (const std::string& cell : cells) widest = std::max(widest, width(cell));
    for (std::string& cell : cells) cell.insert(0, widest - width(cell), ' ');
    columns.push_back(std::move(cells));
  }
  std::string text;
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) text += (c == 0 ? "" : "  ") + columns[c][row];
    text += '\n';
  }
  return text;
}

std::string bandwidth_text(const Sample& sample, const Fit& fit) {
  const std::vector<double> h = fit.model.bandwidth().to_vector();
  std::string text;
  for (std::size_t d = 0; d < h.size(); ++d) {
    text += fmt::format("{}{} {:.6g}", d == 0 ? "" : ", ", sample.x_names[d], h[d]);
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
    line(sample.y_names[m],
         fmt::format("leave-one-out error {} (mean square), R² {} ({} left-one-out)",
                     number(of(fit.left_out.mean_squared_error)), number(of(fit.in_sample.r_squared)),
                     number(of(fit.left_out.r_squared))));
  }
  for (const std::string& warning : fit.warnings) line("warning", warning);
  if (predictions) text += "\n" + aligned(table_of(sample, *predictions));
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
               {"r_squared", json_of(fit.in_sample.r_squared)},
               {"leave_one_out_r_squared", json_of(fit.left_out.r_squared)},
               {"warnings", fit.warnings}};
  if (!fit.losses.empty()) json["losses"] = fit.losses;
  if (predictions) {
    json["predictions"] = {{"x", json_of(predictions->places)},
                           {"y", json_of(predictions->values)},
                           {"standard_error", json_of(predictions->standard_errors)}};
  }
  return json.dump(2) + "\n";
}

void save_predictions(const std::string& path, const Sample& sample, const Predictions& predictions) {
  if (path.ends_with(".csv")) return save_output(path, table_of(sample, predictions));
  if (path.ends_with(".npy")) return save_output(path, predictions.values);
  save_output(path,
              {{"x", predictions.places}, {"y", predictions.values}, {"y_se", predictions.standard_errors}});
}

}  // namespace heed::command
