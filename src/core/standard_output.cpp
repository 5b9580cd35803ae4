// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/standard_output.h"

#include "core/check.h"
#include "core/parallel.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>

namespace heed {

StandardOutput::StandardOutput() : OutputFile("standard output") {
  std::error_code nowhere;
  std::string path = (std::filesystem::temp_directory_path(nowhere) / "heed.XXXXXX").string();
  file_ = ::mkstemp(path.data());
  if (file_ < 0) fail_to("create a temporary file for it");
  ::unlink(path.c_str());
}

void StandardOutput::commit() {
  std::array<std::byte, 1U << 16U> chunk;
  for (std::uint64_t offset = 0; offset < position();) {
    poll_interrupt();
    const ssize_t got = ::pread(file_, chunk.data(), chunk.size(), static_cast<off_t>(offset));
    if (got <= 0) fail_to("read its temporary file");
    offset += static_cast<std::uint64_t>(got);
    for (std::span rest(chunk.data(), static_cast<std::size_t>(got)); !rest.empty();) {
      const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        fail("save", fmt::format("cannot write to the standard output: {}", std::strerror(errno)));
      }
      rest = rest.subspan(static_cast<std::size_t>(written));
    }
  }
}

}  // namespace heed
