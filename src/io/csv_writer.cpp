// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dtype_dispatch.h"
#include "core/strided.h"
#include "io/bytes.h"
#include "io/csv.h"
#include "io/fault.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace heed::io {
namespace {

/// In quotes where a reader would not give the same text back.
std::string field_text(std::string_view text, char separator) {
  const bool plain = !text.empty() && text.find(separator) == std::string_view::npos &&
                     text.find_first_of(kCsvSeparators) == std::string_view::npos &&
                     text.find_first_of("\"\r\n") == std::string_view::npos && text.front() != ' ' &&
                     text.back() != ' ' && !text.starts_with('\xEF');
  if (plain) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string(2, c) : std::string(1, c);
  return out + '"';
}

/// Collects rows, and hands them on in large pieces.
class Rows {
 public:
  Rows(Sink& sink, char separator) : sink_(sink), separator_(separator) {
    check_separator(separator, "save");
  }

  void field(std::string_view text) {
    if (!first_) buffer_ += separator_;
    first_ = false;
    buffer_ += text;
  }
  void quoted_field(std::string_view text) { field(field_text(text, separator_)); }
  void end_row() {
    buffer_ += '\n';
    first_ = true;
    if (buffer_.size() >= kPiece) flush();
  }
  void flush() {
    sink_.write(as_bytes(buffer_));
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1U << 16U;
  Sink& sink_;
  char separator_;
  std::string buffer_;
  bool first_ = true;
};

}  // namespace

std::string cell_text(const Tensor& x, std::int64_t offset) {
  return visit_dtype(x.dtype(), [&](auto zero) -> std::string {
    using T = decltype(zero);
    const T value = x.data<T>()[offset];
    if constexpr (std::is_same_v<T, bool>) return value ? "1" : "0";
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return "nan";
    }
    return fmt::format("{}", value);
  });
}

void write_csv(Sink& sink, const Table& table, char separator) {
  const std::vector<std::string>& names = table.names();
  const bool like_data = std::ranges::all_of(
      names, [](const std::string& name) { return classify(name, {}).kind != CellKind::kText; });
  check(!like_data, "save",
        "a header of numbers alone would be read as data; there must be a name that is no number");
  Rows rows(sink, separator);
  for (const std::string& name : names) rows.quoted_field(name);
  rows.end_row();
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    for (std::int64_t column = 0; column < table.columns(); ++column)
      rows.quoted_field(table.cell(row, column));
    rows.end_row();
  }
  rows.flush();
}

void write_csv(Sink& sink, const Tensor& x, char separator) {
  check(x.rank() <= 2, "save", "a CSV file holds tensors of rank 0 to 2, found shape {}", x.shape());
  check(x.numel() > 0, "save", "a CSV file without a header cannot hold an empty tensor, found shape {}",
        x.shape());
  const std::int64_t width = x.rank() == 2 ? x.size(1) : 1;
  std::int64_t filled = 0;
  Rows rows(sink, separator);
  for_each_offset(x.shape(), x.strides(), [&](std::int64_t offset) {
    rows.field(cell_text(x, offset));
    if (++filled % width == 0) rows.end_row();
  });
  rows.flush();
}

}  // namespace heed::io
