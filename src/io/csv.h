// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// CSV (RFC 4180): rows of fields; quotes around a field keep separators, line ends and doubled quotes in it.
#pragma once

#include "core/sink.h"
#include "io/csv_dialect.h"
#include "io/source.h"

#include <heed/table.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

/// An Error of `op` for a character that cannot stand between fields.
void check_separator(char separator, std::string_view op);

/// The first row of `fields` starts on `line`.
struct CsvRow {
  std::uint64_t line = 0;
  std::vector<std::string> fields;
};

/// Takes text apart row by row. Spaces around fields are dropped, empty lines skipped; lines end in LF or CRLF. A quote
/// or a line end in a wrong place is an Error that names the line.
class CsvParser {
 public:
  /// `name` and `text` are to live as long.
  CsvParser(std::string_view name, std::string_view text, char separator);
  /// The next row, or false at the end.
  bool next(CsvRow& row);

 private:
  bool at_line_end() const;
  void skip_line_end();
  void skip_spaces();
  void quoted_field(std::string& field);
  void plain_field(std::string& field);

  std::string_view name_;
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

/// What may stand between the fields of a file that does not say; what is written keeps fields with one of them in quotes.
inline constexpr std::string_view kCsvSeparators = ",;\t|";

enum class CellKind : std::uint8_t { kNumber, kMissing, kText };
struct Cell {
  CellKind kind = CellKind::kText;
  double number = 0;  ///< NaN if missing
};
Cell classify(std::string_view text, const CsvDialect& dialect);

Table read_table(const Source& source, const CsvOptions& options);

void write_csv(Sink& sink, const Table& table, char separator);
/// Rows without a header, of a tensor of rank 0 to 2.
void write_csv(Sink& sink, const Tensor& x, char separator);
/// The shortest digits that give the same number again.
std::string cell_text(const Tensor& x, std::int64_t offset);

}  // namespace heed::io
