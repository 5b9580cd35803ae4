// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/zip_places.h"

#include "io/zip_fields.h"

namespace heed::io::zip {
namespace {

/// The local header says what the directory says; member.data is where it ends. All of it lies before `next`.
void check_local_header(const Source& source, ZipMember& member, std::uint64_t next) {
  const auto bytes = read_block<kLocalHeaderSize>(source, member.header, next, "local header");
  Fields fields(bytes, {source.name(), member.header});
  fields.expect(kLocalHeader, "local header");
  fields.skip(2, "version");
  const Place flags_place = fields.here();
  const auto flags = fields.take<std::uint16_t>("flags");
  check_at((flags & kEncryptedFlag) == 0 && ((flags & kSizesAfterDataFlag) != 0) == member.sizes_after_data,
           flags_place, "flags", "the local header and the directory differ");
  fields.expect(member.deflated ? kDeflated : kStored, "method");
  fields.skip(4, "time");
  const Place sizes_place = fields.here();
  const auto crc = fields.take<std::uint32_t>("checksum");
  std::uint64_t packed = fields.take<std::uint32_t>("packed size");
  std::uint64_t size = fields.take<std::uint32_t>("size");
  const auto name_length = fields.take<std::uint16_t>("name length");
  const auto extra_length = fields.take<std::uint16_t>("extra length");
  const std::uint64_t rest_begin = member.header + kLocalHeaderSize;
  const std::size_t rest_size = std::size_t{name_length} + extra_length;
  check_at(rest_size <= next - rest_begin, fields.here(), "name", "expected {} more bytes, found {}",
           rest_size, next - rest_begin);
  std::vector<std::byte> rest(rest_size);
  source.read_at(rest_begin, rest);
  const std::string_view name(reinterpret_cast<const char*>(rest.data()), name_length);
  check_at(name == member.name, {source.name(), rest_begin}, "name", "{} here, but {} in the directory",
           in_quotes(name), in_quotes(member.name));
  resolve_zip64(Fields(std::span<const std::byte>(rest).subspan(name_length),
                       {source.name(), rest_begin + name_length}),
                {&size, &packed});
  check_at(member.sizes_after_data || (crc == member.crc && packed == member.packed && size == member.size),
           sizes_place, "size", "the local header and the directory differ");
  member.data = rest_begin + rest_size;
}

/// Between the data and the next header lies nothing, or sizes that were not known before.
void check_descriptor(const Source& source, const ZipMember& member, std::uint64_t begin,
                      std::uint64_t size) {
  const Place place{source.name(), begin};
  if (!member.sizes_after_data) {
    check_at(size == 0, place, "member", "{} bytes that belong to no member", size);
    return;
  }
  check_at(size == 12 || size == 16 || size == 20 || size == 24, place, "data descriptor",
           "expected 12, 16, 20 or 24 bytes, found {}", size);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  source.read_at(begin, bytes);
  Fields fields(bytes, place);
  if (size % 8 == 0) fields.expect(kDescriptor, "data descriptor");
  fields.expect(member.crc, "data descriptor: checksum");
  const bool wide = fields.left() == 16;
  for (const std::uint64_t expected : {member.packed, member.size}) {
    const Place size_place = fields.here();
    const std::uint64_t found =
        wide ? fields.take<std::uint64_t>("size") : fields.take<std::uint32_t>("size");
    check_at(found == expected, size_place, "data descriptor: size", "{} here, but {} in the directory",
             found, expected);
  }
}

}  // namespace

void check_places(const Source& source, std::vector<ZipMember>& members, std::uint64_t end) {
  std::vector<ZipMember*> by_place;
  by_place.reserve(members.size());
  for (ZipMember& member : members) by_place.push_back(&member);
  std::ranges::sort(by_place, {}, &ZipMember::header);
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    ZipMember& member = *by_place[i];
    check_at(member.header == expected, {source.name(), member.entry}, "local header offset",
             "expected {}, without gaps or overlaps, found {}", expected, member.header);
    const std::uint64_t next = i + 1 < by_place.size() ? by_place[i + 1]->header : end;
    check_at(member.header < next && next <= end, {source.name(), member.entry}, "local header offset",
             "the member does not end before byte {}", std::min(next, end));
    check_local_header(source, member, next);
    check_at(member.packed <= next - member.data, {source.name(), member.data}, "packed size",
             "{} bytes do not end before byte {}", member.packed, next);
    check_descriptor(source, member, member.data + member.packed, next - member.data - member.packed);
    expected = next;
  }
  check_at(expected == end, {source.name(), expected}, "member", "{} bytes that belong to no member",
           end - expected);
}

}  // namespace heed::io::zip
