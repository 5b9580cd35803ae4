// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Archives: what zipfile and numpy write in their several ways, and what must be refused.
#include "core/replacement.h"
#include "io/zip_writer.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/hostile.h"
#include "support/tensors.h"
#include "support/zip.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

std::string numbers(int count) {
  return npy("|u1", false, "(" + std::to_string(count) + ",)",
             std::string(static_cast<std::size_t>(count), '\7'));
}

Tensor read(const std::string& bytes, const std::string& name) {
  const Folder folder;
  return load(folder.file("x.npz", bytes) + ":" + name);
}

TEST(Npz, StoredAndDeflated) {
  const std::string bytes = zip({ZipPart("a.npy", numbers(3)), deflated(ZipPart("b", numbers(2)))});
  EXPECT_TRUE(same_bits(read(bytes, "a"), tensor({7, 7, 7}, i64)));
  EXPECT_TRUE(same_bits(read(bytes, "b"), tensor({7, 7}, i64)));
}

TEST(Npz, SizesInZip64Fields) {
  ZipPart part("a.npy", numbers(3));
  const std::string sizes = little(part.size, 8) + little(part.packed.size(), 8);
  part.local_size = part.entry_size = 0xFFFFFFFF;
  part.offset = 0xFFFFFFFF;
  part.local_extra = little(1, 2) + little(16, 2) + sizes;
  part.entry_extra =
      little(0x5455, 2) + little(1, 2) + "t" + little(1, 2) + little(24, 2) + sizes + little(0, 8);
  EXPECT_EQ(read(zip({part}), "a").numel(), 3);
}

TEST(Npz, SizesAfterTheData) {
  for (const bool deflate : {false, true}) {
    for (const int width : {4, 8}) {
      for (const bool signature : {false, true}) {
        ZipPart part("a.npy", numbers(3));
        if (deflate) part = deflated(part);
        part.flags = 1U << 3U;
        part.local_size = 0;
        part.after_data = (signature ? "PK\x07\x08" : "") + little(part.crc, 4) +
                          little(part.packed.size(), width) + little(part.size, width);
        EXPECT_EQ(read(zip({part, ZipPart("b.npy", numbers(1))}), "a").numel(), 3);
        part.after_data.back() = 1;
        expect_error([&] { read(zip({part}), "a"); }, "data descriptor: size");
      }
    }
  }
}

/// An archive as large ones are written, without being large.
TEST(Npz, WritesZip64) {
  const Folder folder;
  {
    const std::string five = numbers(5);
    Replacement file(folder / "x.npz");
    io::ZipWriter writer(file, {.zip64_from = 1});
    for (const char* name : {"a.npy", "b.npy"}) {
      writer.add(name, [&](Sink& sink) { sink.write(std::as_bytes(std::span(std::string_view(five)))); });
    }
    writer.finish();
    file.commit();
  }
  EXPECT_EQ(load(folder / "x.npz:b").numel(), 5);
  std::string bytes = file_bytes(folder / "x.npz");
  const std::size_t end = bytes.size() - 22;
  bytes[end - 20 + 8] = static_cast<char>(bytes[end - 20 + 8] + 1);
  expect_refused("x.npz", {{bytes, "ZIP64 locator: offset: expected"}});
}

TEST(HostileNpz, Ends) {
  const ZipPart part("a.npy", numbers(3));
  const std::string good = zip({part});
  expect_refused(
      "x.npz",
      {
          {"", "byte 0: end record: expected 22 more bytes, found 0"},
          {good + "x", "end record (at the end of the archive, without a comment): expected 0x6054b50"},
          {zip({part}, {.comment = "hello"}), "without a comment"},
          {"x" + good, "directory offset: a directory of"},
          {zip({part}, {.count_off = 1}), "directory: 51 bytes are too few for 2 members"},
          {zip({part, part}, {.count_off = -1}), "directory: 51 bytes after the last member"},
          {zip({part}, {.size_off = -1}), "directory offset: a directory of 50 bytes"},
          {zip({part}, {.offset_off = 1}), "directory offset"},
          {zip({part}, {.before_directory = "gap"}), "member: 3 bytes that belong to no member"},
          {zip({}, {.before_directory = "gap"}), "member: 3 bytes that belong to no member"},
      });
}

TEST(HostileNpz, Members) {
  const ZipPart part("a.npy", numbers(3));
  const auto changed = [&](auto change) {
    ZipPart copy = part;
    change(copy);
    return zip({copy});
  };
  expect_refused(
      "x.npz",
      {
          {zip({part, part}), "name: 'a.npy' appears twice"},
          {zip({part, ZipPart("a", numbers(3))}), "name: 'a' appears twice"},
          {changed([](ZipPart& p) { p.flags = 1; }), "flags: encrypted members are not read"},
          {changed([](ZipPart& p) { p.method = 14; }),
           "method: expected 0 (stored) or 8 (deflated), found 14"},
          {changed([](ZipPart& p) { p.local_name = "b.npy"; }),
           "name: 'b.npy' here, but 'a.npy' in the directory"},
          {changed([](ZipPart& p) { p.local_size = 5; }), "size: the local header and the directory differ"},
          {changed([](ZipPart& p) { p.entry_size = p.local_size = 1000000; }),
           "packed size: 1000000 bytes do not end before byte"},
          {changed([](ZipPart& p) { p.size += 1; }), "size: stored, but packed size"},
          {changed([](ZipPart& p) { p.entry_size = p.local_size = 0xFFFFFFFF; }),
           "packed size: 4294967295 bytes do not end"},
          {changed([](ZipPart& p) { p.entry_extra = little(1, 2) + little(9, 2); }),
           "extra field: expected 9 more bytes, found 0"},
          {changed(
               [](ZipPart& p) { p.entry_extra = little(1, 2) + little(0, 2) + little(1, 2) + little(0, 2); }),
           "extra field: two ZIP64 fields"},
          {changed([](ZipPart& p) { p.offset = 7; }),
           "local header offset: expected 0, without gaps or overlaps, found 7"},
          {changed([](ZipPart& p) { p.after_data = "gap"; }), "member: 3 bytes that belong to no member"},
          {changed([](ZipPart& p) { p.crc ^= 1U; }), "checksum: expected"},
          {zip({ZipPart("a.npy", "no tensor")}), ":a: byte 0: magic: expected"},
          {zip({ZipPart("a.npy", npy("<f8", false, "(1000,)", "12345678"))}),
           ":a: byte 71: data: shape (1000,) needs 8000 bytes, found 8"},
      });
  ZipPart second = part;
  second.name = "b.npy";
  second.offset = 0;
  expect_refused("x.npz", {{zip({part, second}), "local header offset"}});
}

/// Archives that unpack to more than they say, or say more than they can unpack to.
TEST(HostileNpz, Bombs) {
  const ZipPart honest = deflated(ZipPart("a.npy", numbers(3)));
  const auto changed = [&](auto change) {
    ZipPart copy = honest;
    change(copy);
    return zip({copy});
  };
  const std::string header = npy("|u1", false, "(4000000000,)", "");
  ZipPart lying = deflated(ZipPart("a.npy", header));
  lying.size = header.size() + 4'000'000'000;
  expect_refused(
      "x.npz",
      {
          {zip({lying}), "bytes cannot unpack to 4000000"},
          {changed([](ZipPart& p) { p.size -= 1; }), ":a: byte 68: data: shape (3,) needs 3 bytes, found 2"},
          {changed([](ZipPart& p) { p.size += 1; }), "data: shape (3,) needs 3 bytes, found 4"},
          {changed([](ZipPart& p) { p.packed.back() = 'x'; }), "checksum: expected"},
          {changed([](ZipPart& p) { p.packed[0] = 7; }), "deflated data: invalid"},
          {changed([](ZipPart& p) { p.packed.pop_back(); }), "deflated data: ends before the"},
          {changed([](ZipPart& p) { p.packed += 'x'; }), "deflated data: does not end where its packed size"},
          {changed([](ZipPart& p) { p.packed[0] = 0; }), "deflated data: does not end where"},
      });
  // One more byte than the size, in a second block.
  ZipPart longer = honest;
  longer.packed[0] = 0;
  longer.packed += "\x01" + little(1, 2) + little(~std::uint64_t{1}, 2) + "x";
  expect_refused("x.npz", {{zip({longer}), "deflated data: unpacks to more than its size of"}});
}

}  // namespace
}  // namespace heed::test
