// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A file in the making: bytes one after the other, or over those written before. Nobody sees it before commit().
#pragma once

#include "core/sink.h"

#include <cstdint>
#include <string>
#include <utility>

namespace heed {

class OutputFile : public Sink {
 public:
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes) override;
  /// Writes over bytes written before.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  std::uint64_t position() const noexcept { return position_; }

  virtual void commit() = 0;

 protected:
  /// `name` is for messages.
  explicit OutputFile(std::string name) : name_(std::move(name)) {}
  /// "save: NAME: cannot WHAT: ", and what errno says.
  [[noreturn]] void fail_to(const char* what) const;
  void close();

  std::string name_;
  int file_ = -1;

 private:
  std::uint64_t position_ = 0;
};

}  // namespace heed
