// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Characters for the JSON parser that tell how far it has come, so that messages can name a byte.
#pragma once

#include <cstddef>
#include <iterator>

namespace heed::io {

class JsonCharacter {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the standard library's names
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  /// `*reached` follows the iterator.
  JsonCharacter(const char* at, const char** reached) noexcept : at_(at), reached_(reached) {}

  const char& operator*() const noexcept { return *at_; }
  JsonCharacter& operator++() noexcept {
    *reached_ = ++at_;
    return *this;
  }
  friend bool operator==(const JsonCharacter& a, const JsonCharacter& b) noexcept { return a.at_ == b.at_; }
  friend bool operator!=(const JsonCharacter& a, const JsonCharacter& b) noexcept { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

}  // namespace heed::io
