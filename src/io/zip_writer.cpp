// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/zip_writer.h"

#include "core/check.h"
#include "io/bytes.h"
#include "io/fault.h"
#include "io/pack.h"
#include "io/zip_format.h"

#include <algorithm>

namespace heed::io {
namespace {

constexpr std::uint16_t kVersion = 45;  // the first with ZIP64
constexpr std::uint16_t kMadeByUnix = 3U << 8U;
constexpr std::uint16_t kFirstDate = 1U << 5U | 1U;  // 1980-01-01, so that equal tensors make equal files
constexpr std::uint32_t kFileMode = 0100644U << 16U;

}  // namespace

std::uint32_t ZipWriter::narrow(std::uint64_t value) const {
  return value >= options_.zip64_from ? zip::kInExtra32 : static_cast<std::uint32_t>(value);
}

std::string ZipWriter::common(const Entry& entry) const {
  const bool ascii =
      std::ranges::all_of(entry.name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  std::string text;
  append_little(text, kVersion);
  append_little(text, ascii ? std::uint16_t{0} : zip::kUtf8Flag);
  append_little(text, options_.deflate ? zip::kDeflated : zip::kStored);
  append_little(text, std::uint16_t{0});
  append_little(text, kFirstDate);
  append_little(text, entry.crc);
  return text;
}

/// Always with the ZIP64 field: how large the member gets is not known when its place is set aside.
std::string ZipWriter::local_header(const Entry& entry) const {
  std::string text;
  append_little(text, zip::kLocalHeader);
  text += common(entry);
  append_little(text, zip::kInExtra32);
  append_little(text, zip::kInExtra32);
  append_little(text, static_cast<std::uint16_t>(entry.name.size()));
  append_little(text, std::uint16_t{20});
  text += entry.name;
  append_little(text, zip::kZip64Extra);
  append_little(text, std::uint16_t{16});
  append_little(text, entry.size);
  append_little(text, entry.packed);
  return text;
}

std::string ZipWriter::directory_entry(const Entry& entry) const {
  std::string wide;
  for (const std::uint64_t value : {entry.size, entry.packed, entry.header}) {
    if (narrow(value) == zip::kInExtra32) append_little(wide, value);
  }
  std::string text;
  append_little(text, zip::kDirectoryEntry);
  append_little(text, static_cast<std::uint16_t>(kMadeByUnix | kVersion));
  text += common(entry);
  append_little(text, narrow(entry.packed));
  append_little(text, narrow(entry.size));
  append_little(text, static_cast<std::uint16_t>(entry.name.size()));
  append_little(text, static_cast<std::uint16_t>(wide.empty() ? 0 : wide.size() + 4));
  text.append(6, '\0');  // comment, volume, attributes
  append_little(text, kFileMode);
  append_little(text, narrow(entry.header));
  text += entry.name;
  if (wide.empty()) return text;
  append_little(text, zip::kZip64Extra);
  append_little(text, static_cast<std::uint16_t>(wide.size()));
  return text + wide;
}

void ZipWriter::add(const std::string& name, const std::function<void(Sink&)>& body) {
  check(name.size() < zip::kInExtra16, "save", "the name {} is longer than {} bytes", in_quotes(name),
        zip::kInExtra16 - 1);
  Entry entry{.name = name, .header = file_.position()};
  file_.write(as_bytes(local_header(entry)));
  const std::uint64_t data = file_.position();
  const auto packer = make_packer(file_, options_.deflate);
  body(*packer);
  packer->finish();
  entry.packed = file_.position() - data;
  entry.size = packer->size();
  entry.crc = packer->crc();
  file_.write_at(entry.header, as_bytes(local_header(entry)));
  entries_.push_back(entry);
}

void ZipWriter::finish() {
  const std::uint64_t begin = file_.position();
  for (const Entry& entry : entries_) file_.write(as_bytes(directory_entry(entry)));
  const std::uint64_t end = file_.position();
  const std::uint64_t members = entries_.size();
  std::string text;
  const std::uint64_t many = std::min<std::uint64_t>(options_.zip64_from, zip::kInExtra16);
  if (members >= many || end >= options_.zip64_from) {
    append_little(text, zip::kEnd64);
    append_little(text, zip::kEnd64Size - 12);
    append_little(text, kVersion);
    append_little(text, kVersion);
    append_little(text, std::uint64_t{0});  // volumes
    append_little(text, members);
    append_little(text, members);
    append_little(text, end - begin);
    append_little(text, begin);
    append_little(text, zip::kEnd64Locator);
    append_little(text, std::uint32_t{0});
    append_little(text, end);
    append_little(text, std::uint32_t{1});
  }
  append_little(text, zip::kEnd);
  append_little(text, std::uint32_t{0});  // volumes
  const auto few = members >= many ? zip::kInExtra16 : static_cast<std::uint16_t>(members);
  append_little(text, few);
  append_little(text, few);
  append_little(text, narrow(end - begin));
  append_little(text, narrow(begin));
  append_little(text, std::uint16_t{0});  // comment
  file_.write(as_bytes(text));
}

}  // namespace heed::io
