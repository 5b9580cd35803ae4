// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the text of a cell says.
#include "io/csv.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace heed::io {
namespace {

/// In lower case; a point alone is what SAS and Stata write.
constexpr std::array<std::string_view, 7> kUsualWords = {"na", "n/a", "#n/a", "nan", "null", "none", "."};

bool is_usual_word(std::string_view text) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return text.size() <= 4 && std::ranges::any_of(kUsualWords, [&](std::string_view word) {
           return std::ranges::equal(text, word, same);
         });
}

bool is_missing(std::string_view text, const CsvDialect& dialect) {
  if (text.empty()) return true;
  if (dialect.missing.empty()) return is_usual_word(text);
  return std::ranges::find(dialect.missing, text) != dialect.missing.end();
}

/// The number that all of the text is.
bool number_in(std::string_view text, double& number) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

/// With a comma for a point. A point has then no meaning that would be sure.
bool number_with_comma_in(std::string_view text, double& number) {
  if (text.find('.') != std::string_view::npos) return false;
  std::string pointed(text);
  std::ranges::replace(pointed, ',', '.');
  return number_in(pointed, number);
}

}  // namespace

Cell classify(std::string_view text, const CsvDialect& dialect) {
  if (is_missing(text, dialect)) return {CellKind::kMissing, std::numeric_limits<double>::quiet_NaN()};
  Cell cell;
  const bool number =
      dialect.decimal == ',' ? number_with_comma_in(text, cell.number) : number_in(text, cell.number);
  if (number) cell.kind = CellKind::kNumber;
  return cell;
}

}  // namespace heed::io
