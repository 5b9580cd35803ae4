// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/zip_end.h"

#include "io/zip_fields.h"

namespace heed::io::zip {
namespace {

/// A field of the end record, where all ones mean that only the ZIP64 record knows.
template <class T>
void check_agrees(T narrow, std::uint64_t wide, const Place& place, std::string_view field) {
  check_at(narrow == wide || narrow == static_cast<T>(~T{0}), place, field,
           "{} here, but {} in the ZIP64 record", narrow, wide);
}

bool has_zip64_locator(const Source& source, std::uint64_t end) {
  if (end < kEnd64Size + kEnd64LocatorSize) return false;
  std::array<std::byte, 4> signature;
  source.read_at(end - kEnd64LocatorSize, signature);
  return from_bytes<std::uint32_t>(signature.data()) == kEnd64Locator;
}

Directory read_zip64_end(const Source& source, std::uint64_t end) {
  const std::uint64_t locator = end - std::min(end, kEnd64LocatorSize);
  const auto locator_bytes = read_block<kEnd64LocatorSize>(source, locator, end, "ZIP64 locator");
  Fields fields(locator_bytes, {source.name(), locator});
  fields.expect(kEnd64Locator, "ZIP64 locator");
  fields.expect(std::uint32_t{0}, "ZIP64 locator: volume");
  const std::uint64_t record = locator - std::min(locator, kEnd64Size);
  fields.expect(record, "ZIP64 locator: offset");
  fields.expect(std::uint32_t{1}, "ZIP64 locator: volumes");
  const auto record_bytes = read_block<kEnd64Size>(source, record, locator, "ZIP64 end record");
  Fields end64(record_bytes, {source.name(), record});
  end64.expect(kEnd64, "ZIP64 end record");
  end64.expect(kEnd64Size - 12, "ZIP64 end record: size");
  end64.skip(4, "ZIP64 end record: version");
  end64.expect(std::uint64_t{0}, "ZIP64 end record: volume");
  Directory directory;
  directory.members = end64.take<std::uint64_t>("ZIP64 end record: members");
  end64.expect(directory.members, "ZIP64 end record: members");
  const auto size = end64.take<std::uint64_t>("ZIP64 end record: directory size");
  const Place place = end64.here();
  directory.begin = end64.take<std::uint64_t>("ZIP64 end record: directory offset");
  check_at(size <= record && directory.begin == record - size, place, "directory offset",
           "a directory of {} bytes at {} does not end before the ZIP64 end record at {}", size,
           directory.begin, record);
  directory.end = record;
  return directory;
}

}  // namespace

Directory read_end(const Source& source) {
  const std::uint64_t end = source.size() - std::min(source.size(), kEndSize);
  const auto bytes = read_block<kEndSize>(source, end, source.size(), "end record");
  Fields fields(bytes, {source.name(), end});
  fields.expect(kEnd, "end record (at the end of the archive, without a comment)");
  fields.expect(std::uint32_t{0}, "end record: volume");
  const Place members_place = fields.here();
  const auto members = fields.take<std::uint16_t>("end record: members");
  fields.expect(members, "end record: members");
  const auto size = fields.take<std::uint32_t>("end record: directory size");
  const Place place = fields.here();
  const auto begin = fields.take<std::uint32_t>("end record: directory offset");
  fields.expect(std::uint16_t{0}, "end record: comment length");
  if (std::uint64_t{begin} + size == end) return {begin, end, members};
  // Something lies between: it has to be the ZIP64 records.
  check_at(has_zip64_locator(source, end), place, "directory offset",
           "a directory of {} bytes at {} does not end before the end record at {}", size, begin, end);
  const Directory directory = read_zip64_end(source, end);
  check_agrees(members, directory.members, members_place, "end record: members");
  check_agrees(size, directory.end - directory.begin, place, "end record: directory size");
  check_agrees(begin, directory.begin, place, "end record: directory offset");
  return directory;
}

}  // namespace heed::io::zip
