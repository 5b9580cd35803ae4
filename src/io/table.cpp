// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/table.h>

#include "core/strided.h"
#include "io/csv.h"
#include "io/fault.h"

namespace heed {

void Table::Column::append(std::string_view cell) {
  cells += cell;
  ends.push_back(cells.size());
}

std::string_view Table::Column::cell(std::int64_t row) const {
  const auto i = static_cast<std::size_t>(row);
  const std::size_t begin = i == 0 ? 0 : ends[i - 1];
  return std::string_view(cells).substr(begin, ends[i] - begin);
}

const Table::Column& Table::column(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) {
    fail("table", fmt::format("{}{}no column {}{}", file_, file_.empty() ? "" : ": ", in_quotes(name),
                              io::what_there_is(name, names_)));
  }
  return columns_[found->second];
}

const io::CsvDialect& Table::dialect() const {
  static const io::CsvDialect plain;
  return dialect_ ? *dialect_ : plain;
}

double Table::number(const Column& column, const std::string& name, std::int64_t row) const {
  const io::Cell cell = io::classify(column.cell(row), dialect());
  if (cell.kind == io::CellKind::kText) {
    const auto place = lines_.empty()
                           ? fmt::format("row {}", row + 1)
                           : fmt::format("{}: line {}", file_, lines_[static_cast<std::size_t>(row)]);
    fail("table", fmt::format("{}: column {}: expected a number or a missing value, found {}", place,
                              in_quotes(name), in_quotes(column.cell(row))));
  }
  return cell.number;
}

bool Table::is_numeric(const std::string& name) const {
  const Column& cells = column(name);
  for (std::int64_t row = 0; row < rows_; ++row) {
    if (io::classify(cells.cell(row), dialect()).kind == io::CellKind::kText) return false;
  }
  return true;
}

Tensor Table::numbers(const std::string& name) const {
  const Column& cells = column(name);
  const Tensor x = empty({rows_}, f64);
  auto* data = x.mutable_data<double>();
  for (std::int64_t row = 0; row < rows_; ++row) data[row] = number(cells, name, row);
  return x;
}

Tensor Table::numbers() const {
  const Tensor x = empty({rows_, columns()}, f64);
  auto* data = x.mutable_data<double>();
  for (std::int64_t row = 0; row < rows_; ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) *data++ = number(columns_[i], names_[i], row);
  }
  return x;
}

std::vector<std::string> Table::text(const std::string& name) const {
  const Column& cells = column(name);
  std::vector<std::string> texts;
  for (std::int64_t row = 0; row < rows_; ++row) texts.emplace_back(cells.cell(row));
  return texts;
}

std::string_view Table::cell(std::int64_t row, std::int64_t column) const {
  check(row >= 0 && row < rows_ && column >= 0 && column < columns(), "table",
        "no cell ({}, {}) in {} rows of {} columns", row, column, rows_, columns());
  return columns_[static_cast<std::size_t>(column)].cell(row);
}

Table::Column& Table::add_column(const std::string& name, std::int64_t rows) {
  if (places_.contains(name)) {
    fail("table", fmt::format("the column name {} appears twice", in_quotes(name)));
  }
  check(names_.empty() || rows == rows_, "table", "column {}: expected {} rows, found {}", in_quotes(name),
        rows_, rows);
  rows_ = rows;
  places_.emplace(name, columns_.size());
  names_.push_back(name);
  return columns_.emplace_back();
}

void Table::add(const std::string& name, const Tensor& numbers) {
  check_defined(numbers, "table", "numbers");
  check(numbers.rank() == 1, "table", "column {}: expected shape (rows,), found {}", in_quotes(name),
        numbers.shape());
  Column& column = add_column(name, numbers.numel());
  for_each_offset(numbers.shape(), numbers.strides(),
                  [&](std::int64_t offset) { column.append(io::cell_text(numbers, offset)); });
}

void Table::add(const std::string& name, const std::vector<std::string>& text) {
  Column& column = add_column(name, static_cast<std::int64_t>(text.size()));
  for (const std::string& cell : text) column.append(cell);
}

}  // namespace heed
