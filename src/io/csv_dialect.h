// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How a CSV file is written: what stands between fields, in numbers, and for what is missing.
#pragma once

#include <heed/table.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct CsvDialect {
  char separator = ',';
  char decimal = '.';
  bool decimal_seen = true;               ///< or insisted on; else later rows may show it
  std::vector<std::string> missing = {};  ///< besides empty cells; the usual words, if there are none here
};

/// What stands in numbers, as their cells show. A comma between semicolons is a decimal one; between tabs or bars it may also
/// stand between thousands, and one of the numbers must say which. Where a point is in use, a comma is no decimal one.
class DecimalSign {
 public:
  explicit DecimalSign(char separator) : separator_(separator) {}
  void look_at(std::string_view cell);
  bool is_seen() const noexcept { return comma_ || point_; }
  char sign() const noexcept { return comma_ && !point_ ? ',' : '.'; }

 private:
  char separator_;
  bool comma_ = false, point_ = false;
};

/// What `options` insist on, and for the rest what makes sense of the first rows of `text`.
CsvDialect dialect_of(std::string_view name, std::string_view text, const CsvOptions& options);

}  // namespace heed::io
