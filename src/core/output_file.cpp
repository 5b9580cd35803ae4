// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/output_file.h"

#include "core/check.h"
#include "core/parallel.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heed {

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::fail_to(const char* what) const {
  fail("save", fmt::format("{}: cannot {}: {}", name_, what, std::strerror(errno)));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  poll_interrupt();
  write_at(position_, bytes);
  position_ += bytes.size();
}

void OutputFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to("write");
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::close() {
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0 && errno != EINTR) fail_to("write");
}

}  // namespace heed
