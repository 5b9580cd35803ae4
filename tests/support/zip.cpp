// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/zip.h"

#include "support/files.h"

namespace heed::test {

std::uint32_t crc32_of(std::string_view data) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

ZipPart::ZipPart(std::string member_name, std::string_view data)
    : name(std::move(member_name)), packed(data), size(data.size()), crc(crc32_of(data)) {}

ZipPart deflated(ZipPart part) {
  part.method = 8;
  part.packed = "\x01" + little(part.packed.size(), 2) + little(~part.packed.size(), 2) + part.packed;
  return part;
}

std::string zip(const std::vector<ZipPart>& parts, const ZipEnding& ending) {
  std::string out;
  std::string directory;
  for (const ZipPart& part : parts) {
    const std::size_t offset = out.size();
    const auto middle = [&](const std::optional<std::uint32_t>& size) {
      return little(20, 2) + little(part.flags, 2) + little(part.method, 2) + little(0, 4) +
             little(part.crc, 4) + little(size.value_or(static_cast<std::uint32_t>(part.packed.size())), 4) +
             little(size.value_or(static_cast<std::uint32_t>(part.size)), 4);
    };
    const std::string local_name = part.local_name.value_or(part.name);
    out += "PK\x03\x04" + middle(part.local_size) + little(local_name.size(), 2) +
           little(part.local_extra.size(), 2) + local_name + part.local_extra + part.packed + part.after_data;
    directory += "PK\x01\x02" + little(20, 2) + middle(part.entry_size) + little(part.name.size(), 2) +
                 little(part.entry_extra.size(), 2) + little(0, 10) +
                 little(part.offset.value_or(offset), 4) + part.name + part.entry_extra;
  }
  out += ending.before_directory;
  const auto shifted = [](std::size_t value, int by) {
    return static_cast<std::uint64_t>(static_cast<int>(value) + by);
  };
  const std::string count = little(shifted(parts.size(), ending.count_off), 2);
  const std::string size = little(shifted(directory.size(), ending.size_off), 4);
  const std::string offset = little(shifted(out.size(), ending.offset_off), 4);
  return out + directory + "PK\x05\x06" + little(0, 4) + count + count + size + offset +
         little(ending.comment.size(), 2) + ending.comment;
}

}  // namespace heed::test
