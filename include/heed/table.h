// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tables of named columns, as CSV files hold them.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

namespace io {
class TableReader;
struct CsvDialect;
}  // namespace io

/// Columns of equal length. Cells are text; a column whose cells are numbers or missing can be had as a tensor. Missing
/// are empty cells, NA, N/A, #N/A, NaN, null, None and a point alone, in capitals or not, unless CsvOptions say otherwise. A
/// name that is not there is an Error that lists those that are.
class HEED_API Table {
 public:
  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t columns() const noexcept { return static_cast<std::int64_t>(names_.size()); }
  const std::vector<std::string>& names() const noexcept { return names_; }

  /// Whether every cell is a number or missing.
  bool is_numeric(const std::string& name) const;
  /// (rows,) of f64, NaN where missing; a cell of other text is an Error that names its line.
  Tensor numbers(const std::string& name) const;
  /// (rows, columns) of f64.
  Tensor numbers() const;
  std::vector<std::string> text(const std::string& name) const;
  /// One cell, counted from 0; valid until the table changes.
  std::string_view cell(std::int64_t row, std::int64_t column) const;

  /// A new last column; the first one decides how many rows there are.
  void add(const std::string& name, const Tensor& numbers);
  void add(const std::string& name, const std::vector<std::string>& text);

 private:
  friend class io::TableReader;

  /// The cells one after the other, and where each of them ends: a few bytes a cell however many there are.
  struct Column {
    std::string cells;
    std::vector<std::uint64_t> ends;

    void append(std::string_view cell);
    std::string_view cell(std::int64_t row) const;
  };
  const Column& column(const std::string& name) const;
  Column& add_column(const std::string& name, std::int64_t rows);
  const io::CsvDialect& dialect() const;
  double number(const Column& column, const std::string& name, std::int64_t row) const;

  std::string file_;                               ///< empty for a table made by hand
  std::shared_ptr<const io::CsvDialect> dialect_;  ///< null for a table made by hand
  std::vector<std::uint64_t> lines_;               ///< of each row in the file
  std::int64_t rows_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;  ///< of the names
  std::vector<Column> columns_;
};

/// Whether the first row names the columns. Detected: unless all of its cells are numbers or missing.
enum class CsvHeader : std::uint8_t { kDetect, kPresent, kAbsent };

/// What is not given is found out from the first rows: commas, semicolons, tabs or bars between fields, whichever makes most
/// numbers of the cells, and decimal commas where fields are not separated by commas.
struct CsvOptions {
  CsvHeader header = CsvHeader::kDetect;  ///< without one, columns have the names 1, 2, ...
  std::optional<char> separator = std::nullopt;
  std::optional<char> decimal = std::nullopt;  ///< '.' or ','
  std::vector<std::string> missing = {};       ///< what stands for missing values, besides empty cells
  /// Told, in one line, what was found out of a file that is not plain.
  std::function<void(const std::string&)> assumed = {};
};

/// "-" is the standard input.
HEED_API Table load_table(const std::string& path, const CsvOptions& options = {});
/// With a header; "-" is the standard output. Names that are all numbers could not be told from data, and are an Error.
HEED_API void save_table(const std::string& path, const Table& table, char separator = ',');

}  // namespace heed
