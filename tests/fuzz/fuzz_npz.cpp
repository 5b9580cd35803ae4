// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The bytes as an archive, and as the deflated member of an archive whose directory is right: mutations alone hardly
// ever get past the directory. What is written again is the .npy inside, which fuzz_npy covers.
#include "fuzz/fuzz.h"
#include "io/bytes.h"
#include "io/collection.h"
#include "io/zip_format.h"

namespace heed::fuzz {
namespace {

void read_all(const io::Source& source) {
  const auto tensors = io::open_npz(source);
  for (std::size_t i = 0; i < tensors->names().size(); ++i) {
    // A bad member is no reason not to look at the next.
    try {
      tensors->check_tensor(i);
      (void)tensors->read(i);
    } catch (const Error&) {
    }
  }
}

/// A member that claims to unpack to `size` bytes. Its name is empty, and dates and attributes are zero.
std::string archive_of(std::string_view packed, std::uint32_t size) {
  using io::append_little;
  const auto fields = [&](std::string& out) {
    append_little(out, std::uint32_t{0});
    append_little(out, io::zip::kDeflated);
    append_little(out, std::uint64_t{0});
    append_little(out, static_cast<std::uint32_t>(packed.size()));
    append_little(out, size);
  };
  std::string out;
  append_little(out, io::zip::kLocalHeader);
  fields(out);
  out.resize(io::zip::kLocalHeaderSize, '\0');
  out += packed;
  const std::size_t directory = out.size();
  append_little(out, io::zip::kDirectoryEntry);
  append_little(out, std::uint16_t{0});
  fields(out);
  out.resize(directory + io::zip::kDirectoryEntrySize, '\0');
  append_little(out, io::zip::kEnd);
  append_little(out, std::uint32_t{0});
  append_little(out, std::uint32_t{0x00010001});
  append_little(out, static_cast<std::uint32_t>(io::zip::kDirectoryEntrySize));
  append_little(out, static_cast<std::uint32_t>(directory));
  append_little(out, std::uint16_t{0});
  return out;
}

}  // namespace
}  // namespace heed::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heed;
  fuzz::run(data, size, fuzz::read_all);
  if (size < 2) return 0;
  // The first two bytes are the size it claims.
  const std::string_view packed(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::string archive = fuzz::archive_of(packed, data[0] | static_cast<std::uint32_t>(data[1]) << 8U);
  return fuzz::run(reinterpret_cast<const std::uint8_t*>(archive.data()), archive.size(), fuzz::read_all);
}
