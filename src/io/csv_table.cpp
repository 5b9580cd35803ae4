// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tables from CSV files.
#include "core/parallel.h"
#include "io/csv.h"
#include "io/fault.h"

#include <fmt/ranges.h>

#include <memory>
#include <set>

namespace heed {
namespace io {

namespace {

std::string separator_name(char separator) {
  switch (separator) {
    case ';': return "semicolons";
    case '\t': return "tabs";
    case '|': return "bars";
    default: return in_quotes({&separator, 1});
  }
}

}  // namespace

/// Fills a Table row by row.
class TableReader {
 public:
  TableReader(const Source& source, const CsvOptions& options) : options_(options) {
    table_.file_ = source.name();
    text_.resize(static_cast<std::size_t>(source.size()));
    source.read_at(0, std::as_writable_bytes(std::span(text_)));
    const std::size_t zero = text_.find('\0');
    check(zero == std::string::npos, "load", "{}: byte {}: a zero byte: not a text file, or one in UTF-16",
          table_.file_, zero);
  }

  Table read() {
    dialect_ = std::make_shared<CsvDialect>(dialect_of(table_.file_, text_, options_));
    table_.dialect_ = dialect_;
    CsvParser parser(table_.file_, text_, dialect_->separator);
    CsvRow row;
    check(parser.next(row), "load", "{}: expected at least one row, found an empty file", table_.file_);
    const bool named = has_header(row);
    name_columns(row, named);
    if (!named) append(row);
    while (parser.next(row)) {
      if (row.line % 1024 == 0) poll_interrupt();
      check(row.fields.size() == table_.names_.size(), "load",
            "{}: line {}: expected {} fields, as in {}, found {}", table_.file_, row.line,
            table_.names_.size(), named ? "the header" : "the first row", row.fields.size());
      append(row);
    }
    if (!dialect_->decimal_seen) find_decimal_sign();
    if (options_.assumed) say_what_was_assumed();
    return std::move(table_);
  }

 private:
  bool has_header(const CsvRow& first) const {
    if (options_.header != CsvHeader::kDetect) return options_.header == CsvHeader::kPresent;
    for (const std::string& field : first.fields) {
      if (classify(field, *dialect_).kind == CellKind::kText) return true;
    }
    return false;
  }

  void name_columns(const CsvRow& first, bool named) {
    for (std::size_t i = 0; i < first.fields.size(); ++i) {
      const std::string name = named ? first.fields[i] : std::to_string(i + 1);
      if (table_.places_.contains(name)) {
        fail("load", fmt::format("{}: line {}: the column name {} appears twice", table_.file_, first.line,
                                 in_quotes(name)));
      }
      table_.add_column(name, 0);
    }
  }

  void append(const CsvRow& row) {
    for (std::size_t i = 0; i < row.fields.size(); ++i) table_.columns_[i].append(row.fields[i]);
    table_.lines_.push_back(row.line);
    ++table_.rows_;
  }

  /// The first rows had whole numbers alone.
  void find_decimal_sign() {
    DecimalSign decimal(dialect_->separator);
    for (const Table::Column& column : table_.columns_) {
      for (std::int64_t row = 0; row < table_.rows_; ++row) decimal.look_at(column.cell(row));
    }
    dialect_->decimal = decimal.sign();
  }

  /// Nothing, of a file with commas and points whose missing values are those numpy and R write.
  void say_what_was_assumed() const {
    const CsvDialect& dialect = *dialect_;
    std::vector<std::string> parts;
    if (!options_.separator && dialect.separator != ',')
      parts.push_back(fmt::format("{} between fields", separator_name(dialect.separator)));
    if (!options_.decimal && dialect.decimal == ',') parts.emplace_back("decimal commas");
    const std::set<std::string> words = options_.missing.empty() ? unusual_words() : std::set<std::string>();
    if (!words.empty()) parts.push_back(fmt::format("{} for what is missing", fmt::join(words, ", ")));
    if (!parts.empty())
      options_.assumed(fmt::format("{}: read with {}", table_.file_, fmt::join(parts, ", ")));
  }

  /// What stands for missing values in columns of numbers, and is not what every reader takes for that.
  std::set<std::string> unusual_words() const {
    std::set<std::string> words;
    for (const std::string& name : table_.names_) {
      std::set<std::string> found;
      const Table::Column& column = table_.column(name);
      for (std::int64_t row = 0; row < table_.rows_; ++row) {
        const std::string_view cell = column.cell(row);
        const bool plain = cell.empty() || cell.size() > 4 || cell == "NA" || cell == "NaN" || cell == "nan";
        if (!plain && classify(cell, *dialect_).kind == CellKind::kMissing) found.insert(in_quotes(cell));
      }
      if (!found.empty() && table_.is_numeric(name)) words.merge(found);
    }
    return words;
  }

  CsvOptions options_;
  std::shared_ptr<CsvDialect> dialect_;
  std::string text_;
  Table table_;
};

Table read_table(const Source& source, const CsvOptions& options) {
  return TableReader(source, options).read();
}

}  // namespace io
}  // namespace heed
