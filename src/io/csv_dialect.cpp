// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/csv_dialect.h"

#include "io/csv.h"
#include "io/fault.h"

#include <algorithm>
#include <cctype>

namespace heed::io {
namespace {

constexpr int kRowsLookedAt = 100;

/// Rows as one separator cuts them; none if they are of different lengths, or of one field.
using SampleRows = std::vector<CsvRow>;
SampleRows first_rows(std::string_view name, std::string_view text, char separator) {
  SampleRows rows;
  try {
    CsvParser parser(name, text, separator);
    for (CsvRow row; static_cast<int>(rows.size()) < kRowsLookedAt && parser.next(row); rows.push_back(row)) {
      if (row.fields.size() < 2 || (!rows.empty() && row.fields.size() != rows.front().fields.size()))
        return {};
    }
  } catch (const Error&) {
    return {};  // quotes where this separator does not let them stand
  }
  return rows;
}

/// Whether a number with a comma may be 1,234 in words: three digits after it, one to three before.
bool may_be_thousands(std::string_view cell) {
  if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
  const std::size_t comma = cell.find(',');
  const bool digits =
      std::ranges::all_of(cell.substr(comma + 1), [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits && cell.size() == comma + 4 && comma >= 1 && comma <= 3 && cell[0] != '0';
}

/// The share of cells below the first row that are numbers or missing.
double numeric_share(const SampleRows& rows, const CsvDialect& dialect) {
  double numeric = 0, all = 0;
  for (std::size_t i = rows.size() > 1 ? 1 : 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i].fields) {
      numeric += classify(cell, dialect).kind == CellKind::kText ? 0 : 1;
      ++all;
    }
  }
  return all > 0 ? numeric / all : 0;
}

}  // namespace

void DecimalSign::look_at(std::string_view cell) {
  if (separator_ == ',') return;
  const bool comma = cell.find(',') != std::string_view::npos;
  if (!comma && cell.find('.') == std::string_view::npos) return;
  if (classify(cell, {.decimal = comma ? ',' : '.'}).kind != CellKind::kNumber) return;
  point_ |= !comma;
  comma_ |= comma && (separator_ == ';' || !may_be_thousands(cell));
}

CsvDialect dialect_of(std::string_view name, std::string_view text, const CsvOptions& options) {
  const std::string_view signs = ".,";
  const char insisted = options.decimal.value_or('.');
  check(signs.find(insisted) != std::string_view::npos, "load",
        "the decimal sign must be '.' or ',', found {}", in_quotes({&insisted, 1}));
  check(insisted != ',' || options.separator != ',', "load",
        "a comma cannot be both separator and decimal sign");
  const auto with = [&](const SampleRows& rows, char separator) {
    DecimalSign decimal(separator);
    for (const CsvRow& row : rows)
      std::ranges::for_each(row.fields, [&](const std::string& cell) { decimal.look_at(cell); });
    return CsvDialect{.separator = separator,
                      .decimal = options.decimal.value_or(decimal.sign()),
                      .decimal_seen = options.decimal || separator == ',' || decimal.is_seen(),
                      .missing = options.missing};
  };
  if (options.separator) return with(first_rows(name, text, *options.separator), *options.separator);
  // A comma, unless another one makes more numbers of the cells. A single column has none at all.
  CsvDialect best = with({}, insisted == ',' ? ';' : ',');
  double share = -1;
  for (const char separator : kCsvSeparators) {
    if (separator == insisted) continue;
    const SampleRows rows = first_rows(name, text, separator);
    if (rows.empty()) continue;
    const CsvDialect dialect = with(rows, separator);
    const double found = numeric_share(rows, dialect);
    if (found > share) {
      best = dialect;
      share = found;
    }
  }
  return best;
}

}  // namespace heed::io
