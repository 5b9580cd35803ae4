// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What lies between a member's bytes and the archive: a checksum, and deflate if asked for.
#pragma once

#include "core/sink.h"

#include <cstdint>
#include <memory>

namespace heed::io {

class Packer : public Sink {
 public:
  /// After the last write().
  virtual void finish() {}
  std::uint64_t size() const noexcept { return size_; }
  std::uint32_t crc() const noexcept { return crc_; }

  void write(std::span<const std::byte> bytes) override;

 protected:
  virtual void pack(std::span<const std::byte> bytes) = 0;

 private:
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
};

std::unique_ptr<Packer> make_packer(Sink& out, bool deflate);

}  // namespace heed::io
