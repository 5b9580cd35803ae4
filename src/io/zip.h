// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Reads ZIP archives itself: libzip 1.7 takes archives with gaps between members, with comments, with two ZIP64 fields, and
// members that unpack to more or less than their size, its errors name no byte, and 200 MB take it 1.6 times as long to write
// and 1.8 times as long to read.
//
// The directory of a ZIP archive, with the sizes of ZIP64. Members are stored or deflated, and lie one after the other
// without gaps; there is no comment, no encryption and no second volume.
#pragma once

#include "io/reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heed::io {

struct ZipMember {
  std::string name;
  std::uint64_t entry = 0;   ///< where the directory describes it
  std::uint64_t header = 0;  ///< where its local header lies
  std::uint64_t data = 0;    ///< where its bytes lie
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  bool deflated = false;
  bool sizes_after_data = false;  ///< the local header was written before the sizes were known
};

/// All members in the order of the directory. Every size and offset has been checked against the file and against the
/// local headers, and no member unpacks to more than deflate can.
std::vector<ZipMember> read_zip_directory(const Source& source);

/// The unpacked bytes of a member, checked as they are read. Messages call it `name`.
class ZipReader : public Reader {
 public:
  /// To be called after the last byte: nothing is left, and the checksum is right.
  virtual void finish() = 0;

 protected:
  using Reader::Reader;
};
std::unique_ptr<ZipReader> open_member(const Source& source, const ZipMember& member, std::string name);

}  // namespace heed::io
