// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "describe/summary.h"

#include <heed/io.h>

#include <cmath>

namespace heed::command {
namespace {

void count(Part& part, const Tensor& x) {
  double sum = 0;
  for (const double entry : x.to_vector()) {
    if (std::isnan(entry)) {
      ++part.missing;
      continue;
    }
    part.min = std::fmin(part.min.value_or(entry), entry);
    part.max = std::fmax(part.max.value_or(entry), entry);
    sum += entry;
  }
  const std::int64_t found = x.numel() - part.missing;
  if (found > 0) part.mean = sum / static_cast<double>(found);
}

Part tensor_part(const std::string& name, const Tensor& x) {
  Part part{.name = name, .kind = heed::name(x.dtype()), .shape = to_string(x.shape())};
  count(part, x);
  return part;
}

/// A column of numbers, however few, or of text.
Part column_part(const Table& table, const std::string& name) {
  Part part{.name = name, .kind = "numbers", .shape = ""};
  if (table.is_numeric(name)) {
    count(part, table.numbers(name));
    if (part.missing == table.rows()) part.kind = "empty";
    return part;
  }
  part.kind = "text";
  for (const std::string& cell : table.text(name)) {
    if (cell.empty()) ++part.missing;
    if (part.example.empty()) part.example = cell;
  }
  return part;
}

Summary table_summary(const Table& table) {
  Summary summary{.format = "CSV", .rows = table.rows(), .parts = {}};
  for (const std::string& name : table.names()) summary.parts.push_back(column_part(table, name));
  return summary;
}

}  // namespace

Summary summary_of(const std::string& path, const CsvOptions& csv) {
  if (path == "-") return table_summary(load_table(path, csv));
  const FileFormat format = file_format(path);
  if (format == FileFormat::kCsv) return table_summary(load_table(path, csv));
  Summary summary{.format = ".npy", .rows = std::nullopt, .parts = {}};
  if (format == FileFormat::kNpy) {
    summary.parts.push_back(tensor_part("", load(path)));
    return summary;
  }
  summary.format = format == FileFormat::kNpz ? ".npz" : ".safetensors";
  for (const auto& [name, x] : load_all(path)) summary.parts.push_back(tensor_part(name, x));
  return summary;
}

}  // namespace heed::command
