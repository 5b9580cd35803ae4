// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Unpacking, with zlib.
#include "io/zip.h"

#include <zlib.h>

#include <array>

namespace heed::io {
namespace {

/// zlib counts in 32 bits.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;

/// Computes the checksum of whatever another source of bytes gives.
class Member : public ZipReader {
 public:
  Member(const Source& source, const ZipMember& member, std::string name)
      : ZipReader(std::move(name), member.size), source_(source), member_(member) {}

  void finish() override {
    check_at(remaining() == 0, here(), "data", "{} bytes more than the tensor needs", remaining());
    finish_unpacking();
    check_at(crc_ == member_.crc, here(), "checksum", "expected {:08x}, found {:08x}: the data is damaged",
             member_.crc, crc_);
  }

 protected:
  virtual void unpack(std::span<std::byte> out) = 0;
  virtual void finish_unpacking() = 0;

  const Source& source() const { return source_; }
  const ZipMember& member() const { return member_; }

 private:
  void fill(std::span<std::byte> out) override {
    while (!out.empty()) {
      const auto part = out.first(std::min(out.size(), kMostAtOnce));
      unpack(part);
      crc_ = static_cast<std::uint32_t>(
          ::crc32(crc_, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size())));
      out = out.subspan(part.size());
      unpacked_ += part.size();
    }
  }

  const Source& source_;
  ZipMember member_;
  std::uint32_t crc_ = 0;

 protected:
  std::uint64_t unpacked_ = 0;
};

class StoredMember final : public Member {
 public:
  using Member::Member;

 private:
  void unpack(std::span<std::byte> out) override { source().read_at(member().data + unpacked_, out); }
  void finish_unpacking() override {}
};

class DeflatedMember final : public Member {
 public:
  DeflatedMember(const Source& source, const ZipMember& member, std::string name)
      : Member(source, member, std::move(name)) {
    // Negative: raw deflate, without the header of a .gz file.
    check(::inflateInit2(&stream_, -MAX_WBITS) == Z_OK, "load", "{}: zlib cannot start", this->name());
  }
  ~DeflatedMember() override { ::inflateEnd(&stream_); }

 private:
  void unpack(std::span<std::byte> out) override {
    check_at(inflate_into(out) == out.size(), here(), "deflated data", "ends before the {} bytes of its size",
             member().size);
  }

  void finish_unpacking() override {
    std::byte beyond{};
    check_at(inflate_into({&beyond, 1}) == 0, here(), "deflated data",
             "unpacks to more than its size of {} bytes", member().size);
    check_at(ended_ && taken_ == member().packed && stream_.avail_in == 0, here(), "deflated data",
             "does not end where its packed size of {} says", member().packed);
  }

  /// As much of `out` as there is left to unpack.
  std::size_t inflate_into(std::span<std::byte> out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && !ended_) {
      const bool fed = stream_.avail_in > 0 || feed();
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      ended_ = result == Z_STREAM_END;
      check_at(ended_ || result == Z_OK || result == Z_BUF_ERROR, here(), "deflated data", "{}",
               stream_.msg != nullptr ? stream_.msg : "cannot be unpacked");
      if (!fed && !ended_ && result == Z_BUF_ERROR) break;
    }
    return out.size() - stream_.avail_out;
  }

  /// Gives zlib the next packed bytes, if there are any.
  bool feed() {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(packed_.size(), member().packed - taken_));
    source().read_at(member().data + taken_, std::span(packed_).first(count));
    taken_ += count;
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  z_stream stream_ = {};
  bool ended_ = false;
  std::uint64_t taken_ = 0;
  std::array<std::byte, 1U << 15U> packed_;
};

}  // namespace

std::unique_ptr<ZipReader> open_member(const Source& source, const ZipMember& member, std::string name) {
  if (member.deflated) return std::make_unique<DeflatedMember>(source, member, std::move(name));
  return std::make_unique<StoredMember>(source, member, std::move(name));
}

}  // namespace heed::io
