// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// ZIP archives put together by hand, so that every field can be wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::test {

struct ZipPart {
  ZipPart(std::string member_name, std::string_view data);

  std::string name;
  std::string packed;
  std::uint64_t size;
  std::uint32_t crc;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::string local_extra;
  std::string entry_extra;
  std::string after_data;  ///< a data descriptor
  std::optional<std::string> local_name;
  std::optional<std::uint32_t> local_size;  ///< both sizes of the local header
  std::optional<std::uint32_t> entry_size;  ///< both sizes of the directory
  std::optional<std::uint32_t> offset;
};

/// The same data as a deflate stream of one block that stores it.
ZipPart deflated(ZipPart part);

struct ZipEnding {
  int count_off = 0;   ///< added to the true number of members
  int size_off = 0;    ///< ... size of the directory
  int offset_off = 0;  ///< ... offset of the directory
  std::string before_directory = {};
  std::string comment = {};
};
std::string zip(const std::vector<ZipPart>& parts, const ZipEnding& ending = {});

std::uint32_t crc32_of(std::string_view data);

}  // namespace heed::test
