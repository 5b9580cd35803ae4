// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/zip.h"
#include "io/zip_end.h"
#include "io/zip_fields.h"
#include "io/zip_places.h"

#include <set>

namespace heed::io {
namespace {

using zip::Fields;

ZipMember read_entry(Fields& fields) {
  ZipMember member;
  member.entry = fields.here().byte;
  fields.expect(zip::kDirectoryEntry, "directory entry");
  fields.skip(4, "versions");
  const Place flags_place = fields.here();
  const auto flags = fields.take<std::uint16_t>("flags");
  check_at((flags & zip::kEncryptedFlag) == 0, flags_place, "flags", "encrypted members are not read");
  const Place method_place = fields.here();
  const auto method = fields.take<std::uint16_t>("method");
  check_at(method == zip::kStored || method == zip::kDeflated, method_place, "method",
           "expected 0 (stored) or 8 (deflated), found {}", method);
  fields.skip(4, "time");
  member.crc = fields.take<std::uint32_t>("checksum");
  const Place sizes_place = fields.here();
  member.packed = fields.take<std::uint32_t>("packed size");
  member.size = fields.take<std::uint32_t>("size");
  const auto name_length = fields.take<std::uint16_t>("name length");
  const auto extra_length = fields.take<std::uint16_t>("extra length");
  const auto comment_length = fields.take<std::uint16_t>("comment length");
  fields.expect(std::uint16_t{0}, "volume");
  fields.skip(6, "attributes");
  member.header = fields.take<std::uint32_t>("local header offset");
  const auto name = fields.take_bytes(name_length, "name");
  member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  const Place extra_place = fields.here();
  zip::resolve_zip64(Fields(fields.take_bytes(extra_length, "extra field"), extra_place),
                     {&member.size, &member.packed, &member.header});
  fields.skip(comment_length, "comment");
  member.deflated = method == zip::kDeflated;
  member.sizes_after_data = (flags & zip::kSizesAfterDataFlag) != 0;
  check_at(member.deflated || member.packed == member.size, sizes_place, "size",
           "stored, but packed size {} and size {} differ", member.packed, member.size);
  // The shortest code of deflate, 2 bits, stands for at most 258 bytes.
  check_at(member.size / 1032 <= member.packed, sizes_place, "size", "{} bytes cannot unpack to {}",
           member.packed, member.size);
  return member;
}

}  // namespace

std::vector<ZipMember> read_zip_directory(const Source& source) {
  const zip::Directory directory = zip::read_end(source);
  const Place start{source.name(), directory.begin};
  const std::uint64_t bytes = directory.end - directory.begin;
  check_at(directory.members <= bytes / zip::kDirectoryEntrySize, start, "directory",
           "{} bytes are too few for {} members", bytes, directory.members);
  std::vector<std::byte> text(static_cast<std::size_t>(bytes));
  source.read_at(directory.begin, text);
  Fields fields(text, start);
  std::vector<ZipMember> members;
  std::set<std::string_view> names;
  members.reserve(static_cast<std::size_t>(directory.members));
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    const Place place = fields.here();
    members.push_back(read_entry(fields));
    check_at(names.insert(members.back().name).second, place, "name", "{} appears twice",
             in_quotes(members.back().name));
  }
  check_at(fields.left() == 0, fields.here(), "directory", "{} bytes after the last member", fields.left());
  zip::check_places(source, members, directory.begin);
  return members;
}

}  // namespace heed::io
