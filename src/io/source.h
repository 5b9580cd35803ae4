// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Bytes to be read by position: a file, or what came through a pipe. Their number is known from the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace heed::io {

class Source {
 public:
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// As messages name it.
  const std::string& name() const noexcept { return name_; }
  std::uint64_t size() const noexcept { return size_; }
  /// The caller keeps to offset + out.size() <= size().
  virtual void read_at(std::uint64_t offset, std::span<std::byte> out) const = 0;

 protected:
  Source(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

 private:
  std::string name_;
  std::uint64_t size_;
};

/// A regular file is read where it lies; a pipe is read to its end, into memory.
std::unique_ptr<Source> open_source(const std::string& path);

std::unique_ptr<Source> standard_input();

/// Over memory that the caller keeps alive.
std::unique_ptr<Source> memory_source(std::string name, std::span<const std::byte> bytes);

}  // namespace heed::io
