// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/pack.h"

#include "core/check.h"

#include <zlib.h>

#include <array>

namespace heed::io {
namespace {

class Store final : public Packer {
 public:
  explicit Store(Sink& out) : out_(out) {}

 private:
  void pack(std::span<const std::byte> bytes) override { out_.write(bytes); }

  Sink& out_;
};

class Deflate final : public Packer {
 public:
  explicit Deflate(Sink& out) : out_(out) {
    constexpr int kMemoryLevel = 8;
    check(::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, kMemoryLevel,
                         Z_DEFAULT_STRATEGY) == Z_OK,
          "save", "zlib cannot start");
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() override { ::deflateEnd(&stream_); }

  void finish() override { run(Z_FINISH); }

 private:
  void pack(std::span<const std::byte> bytes) override {
    // zlib does not write to its input; its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));  // NOLINT
    stream_.avail_in = static_cast<uInt>(bytes.size());
    run(Z_NO_FLUSH);
  }

  void run(int flush) {
    std::array<std::byte, 1U << 15U> packed;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream_.avail_out = static_cast<uInt>(packed.size());
      (void)::deflate(&stream_, flush);  // with room for output it cannot fail
      out_.write(std::span(packed).first(packed.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  Sink& out_;
  z_stream stream_ = {};
};

}  // namespace

void Packer::write(std::span<const std::byte> bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;  // zlib counts in 32 bits
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kMostAtOnce));
    crc_ = static_cast<std::uint32_t>(
        ::crc32(crc_, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size())));
    pack(part);
    size_ += part.size();
    bytes = bytes.subspan(part.size());
  }
}

std::unique_ptr<Packer> make_packer(Sink& out, bool deflate) {
  if (deflate) return std::make_unique<Deflate>(out);
  return std::make_unique<Store>(out);
}

}  // namespace heed::io
