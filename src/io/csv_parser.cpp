// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/csv.h"
#include "io/fault.h"

#include <cctype>

namespace heed::io {
namespace {

/// A row of separators alone would otherwise make a large table of a small file.
constexpr std::size_t kMostColumns = 1U << 16U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void check_separator(char separator, std::string_view op) {
  check(std::string_view("\"\n\r .+-\0", 8).find(separator) == std::string_view::npos &&
            std::isalnum(static_cast<unsigned char>(separator)) == 0,
        op, "the separator cannot be {}", in_quotes({&separator, 1}));
}

CsvParser::CsvParser(std::string_view name, std::string_view text, char separator)
    : name_(name), text_(text), separator_(separator) {
  check_separator(separator, "load");
  if (text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

bool CsvParser::at_line_end() const {
  const std::string_view rest = text_.substr(at_);
  return rest.empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
}

void CsvParser::skip_line_end() {
  if (at_ == text_.size()) return;
  at_ += text_[at_] == '\r' ? 2 : 1;
  ++line_;
}

void CsvParser::skip_spaces() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
}

void CsvParser::quoted_field(std::string& field) {
  const std::uint64_t opened = line_;
  for (++at_;;) {
    const std::size_t quote = text_.find('"', at_);
    check(quote != std::string_view::npos, "load", "{}: line {}: a quoted field without its closing quote",
          name_, opened);
    for (const char c : text_.substr(at_, quote - at_)) line_ += c == '\n' ? 1 : 0;
    field += text_.substr(at_, quote - at_);
    at_ = quote + 1;
    if (!text_.substr(at_).starts_with('"')) break;
    field += '"';
    ++at_;
  }
  skip_spaces();
  if (at_line_end() || text_[at_] == separator_) return;
  fail("load", fmt::format("{}: line {}: expected {} after a quoted field, found {}", name_, line_,
                           in_quotes({&separator_, 1}), in_quotes(text_.substr(at_, 1))));
}

void CsvParser::plain_field(std::string& field) {
  const std::size_t begin = at_;
  for (; !at_line_end() && text_[at_] != separator_; ++at_) {
    check(text_[at_] != '"', "load", "{}: line {}: a quote inside a field that does not start with one",
          name_, line_);
    check(text_[at_] != '\r', "load", "{}: line {}: a carriage return in the middle of a line", name_, line_);
  }
  field = text_.substr(begin, at_ - begin);
  field.erase(field.find_last_not_of(' ') + 1);
}

bool CsvParser::next(CsvRow& row) {
  while (at_ < text_.size() && at_line_end()) skip_line_end();
  if (at_ == text_.size()) return false;
  row.line = line_;
  row.fields.clear();
  for (;; ++at_) {
    check(row.fields.size() < kMostColumns, "load", "{}: line {}: more than {} fields", name_, row.line,
          kMostColumns);
    std::string& field = row.fields.emplace_back();
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '"') {
      quoted_field(field);
    } else {
      plain_field(field);
    }
    if (at_line_end()) break;
  }
  skip_line_end();
  return true;
}

}  // namespace heed::io
