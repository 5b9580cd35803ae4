// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Writes a ZIP archive. Sizes that 32 bits cannot hold go where ZIP64 has them.
#pragma once

#include "core/output_file.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heed::io {

struct ZipWriterOptions {
  bool deflate = false;
  /// Numbers from here on are written as 64 bits.
  std::uint64_t zip64_from = 0xFFFFFFFF;
};

class ZipWriter {
 public:
  ZipWriter(OutputFile& file, const ZipWriterOptions& options) : file_(file), options_(options) {}

  /// A member of that name, of everything `body` writes.
  void add(const std::string& name, const std::function<void(Sink&)>& body);
  /// The directory, after the last member.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t header = 0;
    std::uint64_t packed = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
  };
  std::string local_header(const Entry& entry) const;
  std::string directory_entry(const Entry& entry) const;
  /// What the local header and the directory have in common: version to time.
  std::string common(const Entry& entry) const;
  std::uint32_t narrow(std::uint64_t value) const;

  OutputFile& file_;
  ZipWriterOptions options_;
  std::vector<Entry> entries_;
};

}  // namespace heed::io
