// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Bytes to be read one after the other: a part of a file, or a member of an archive as it is unpacked.
#pragma once

#include "io/fault.h"
#include "io/source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heed::io {

class Reader {
 public:
  virtual ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::uint64_t position() const noexcept { return position_; }
  std::uint64_t remaining() const noexcept { return size_ - position_; }
  Place here() const noexcept { return {name_, position_}; }

  /// Fills `out`; an Error that says which `field` is cut short if there is less.
  void read(std::span<std::byte> out, std::string_view field) {
    check_at(out.size() <= remaining(), here(), field, "expected {} more bytes, found {}", out.size(),
             remaining());
    fill(out);
    position_ += out.size();
  }

 protected:
  Reader(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
  virtual void fill(std::span<std::byte> out) = 0;

 private:
  std::string name_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

/// `size` bytes of a source, from `begin` on; the caller has checked that they are there.
class RangeReader final : public Reader {
 public:
  RangeReader(const Source& source, std::string name, std::uint64_t begin, std::uint64_t size)
      : Reader(std::move(name), size), source_(source), begin_(begin) {}
  /// All of it.
  explicit RangeReader(const Source& source) : RangeReader(source, source.name(), 0, source.size()) {}

 private:
  void fill(std::span<std::byte> out) override { source_.read_at(begin_ + position(), out); }

  const Source& source_;
  std::uint64_t begin_;
};

}  // namespace heed::io
