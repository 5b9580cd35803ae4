// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Fields of the records of a ZIP archive.
#pragma once

#include "io/bytes.h"
#include "io/fault.h"
#include "io/source.h"
#include "io/zip_format.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace heed::io::zip {

/// Takes fields off a piece of the file, one by one.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, const Place& start) : bytes_(bytes), start_(start) {}

  Place here() const { return {start_.file, start_.byte + at_}; }
  std::uint64_t left() const { return bytes_.size() - at_; }
  std::span<const std::byte> take_bytes(std::uint64_t count, std::string_view field) {
    check_at(count <= left(), here(), field, "expected {} more bytes, found {}", count, left());
    at_ += static_cast<std::size_t>(count);
    return bytes_.subspan(at_ - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
  }
  template <class T>
  T take(std::string_view field) {
    return from_bytes<T>(take_bytes(sizeof(T), field).data());
  }
  template <class T>
  T expect(T expected, std::string_view field) {
    const Place place = here();
    const T found = take<T>(field);
    check_at(found == expected, place, field, "expected {:#x}, found {:#x}", expected, found);
    return found;
  }
  void skip(std::uint64_t count, std::string_view field) { (void)take_bytes(count, field); }

 private:
  std::span<const std::byte> bytes_;
  Place start_;
  std::size_t at_ = 0;
};

template <std::uint64_t kSize>
std::array<std::byte, kSize> read_block(const Source& source, std::uint64_t offset, std::uint64_t end,
                                        std::string_view field) {
  check_at(offset <= end && kSize <= end - offset, {source.name(), offset}, field,
           "expected {} more bytes, found {}", kSize, end - std::min(offset, end));
  std::array<std::byte, kSize> block;
  source.read_at(offset, block);
  return block;
}

/// Puts the 64-bit values of the extra field in the place of those that are all ones.
inline void resolve_zip64(Fields extra, std::initializer_list<std::uint64_t*> values) {
  bool found = false;
  while (extra.left() > 0) {
    const Place place = extra.here();
    const auto tag = extra.take<std::uint16_t>("extra field");
    const auto size = extra.take<std::uint16_t>("extra field");
    const Place start = extra.here();
    Fields content(extra.take_bytes(size, "extra field"), start);
    if (tag != kZip64Extra) continue;
    check_at(!found, place, "extra field", "two ZIP64 fields");
    found = true;
    for (std::uint64_t* value : values) {
      if (*value == kInExtra32) *value = content.take<std::uint64_t>("ZIP64 extra field");
    }
  }
}

}  // namespace heed::io::zip
