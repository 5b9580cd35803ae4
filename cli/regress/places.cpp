// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regress/places.h"

#include "support/numbers.h"

#include <heed/error.h>
#include <heed/io.h>
#include <heed/ops.h>
#include <heed/quote.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace heed::command {
namespace {

constexpr double kMostPoints = 1e7;

/// Combines what the columns may be: {1, 2} and {3} are the points (1, 3) and (2, 3).
void append_combinations(const std::vector<std::vector<double>>& choices, std::vector<double>& points) {
  std::vector<double> point;
  const auto choose = [&](const auto& self, std::size_t column) -> void {
    if (column == choices.size()) {
      points.insert(points.end(), point.begin(), point.end());
      return;
    }
    for (const double choice : choices[column]) {
      point.push_back(choice);
      self(self, column + 1);
      point.pop_back();
    }
  };
  choose(choose, 0);
}

/// The points of one argument, one after the other; nothing if it is not made of numbers and grids.
std::optional<std::vector<double>> parse_points(const std::string& argument, std::size_t D) {
  std::vector<std::vector<double>> choices;
  for (const std::string_view part : split(argument, ',')) {
    const std::optional<std::vector<double>> choice = parse_grid(part);
    if (!choice) return std::nullopt;
    choices.push_back(*choice);
  }
  std::vector<double> points;
  if (D == 1) {
    for (const std::vector<double>& choice : choices)
      points.insert(points.end(), choice.begin(), choice.end());
    return points;
  }
  if (choices.size() != D) {
    throw Error(fmt::format("--at: {}: expected {} numbers or grids separated by commas, found {}",
                            in_quotes(argument), D, choices.size()));
  }
  double count = 1;
  for (const std::vector<double>& choice : choices) count *= static_cast<double>(choice.size());
  if (count > kMostPoints) {
    throw Error(fmt::format("--at: {}: expected at most {} points, found {}", in_quotes(argument),
                            kMostPoints, count));
  }
  append_combinations(choices, points);
  return points;
}

Tensor read_table(const std::string& path, const std::vector<std::string>& x_names, const CsvOptions& csv) {
  const Table table = load_table(path, csv);
  // A file without a header has no names to go by.
  const bool nameless =
      table.columns() == static_cast<std::int64_t>(x_names.size()) && table.names().front() == "1";
  if (nameless) return table.numbers();
  std::vector<Tensor> columns;
  columns.reserve(x_names.size());
  for (const std::string& name : x_names) columns.push_back(table.numbers(name));
  return stack(columns, 1);
}

Tensor read_file(const std::string& path, const std::vector<std::string>& x_names, const CsvOptions& csv) {
  if (path.ends_with(".csv")) return read_table(path, x_names, csv);
  const Tensor loaded = load(path, csv).to(f64);
  const Tensor places = loaded.rank() == 1 ? loaded.unsqueeze(1) : loaded;
  const auto D = static_cast<std::int64_t>(x_names.size());
  if (places.rank() != 2 || places.size(1) != D) {
    throw Error(fmt::format("--at: {}: expected shape (rows, {}), found {}", printable(path), D,
                            to_string(loaded.shape())));
  }
  return places;
}

}  // namespace

Tensor read_places(const std::vector<std::string>& arguments, const std::vector<std::string>& x_names,
                   const CsvOptions& csv) {
  const std::size_t D = x_names.size();
  std::vector<double> points;
  for (const std::string& argument : arguments) {
    const std::optional<std::vector<double>> parsed = parse_points(argument, D);
    if (parsed) {
      points.insert(points.end(), parsed->begin(), parsed->end());
      continue;
    }
    const bool file =
        argument == "-" || std::filesystem::exists(argument) || argument.find('.') != std::string::npos;
    if (arguments.size() == 1 && file) return read_file(argument, x_names, csv);
    throw Error(
        fmt::format("--at: {}: expected numbers, a grid start:stop:count, or one file", in_quotes(argument)));
  }
  return from_vector(points, {static_cast<std::int64_t>(points.size() / D), static_cast<std::int64_t>(D)});
}

}  // namespace heed::command
