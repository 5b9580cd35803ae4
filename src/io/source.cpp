// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "io/source.h"

#include "core/parallel.h"
#include "io/address.h"
#include "io/fault.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace heed::io {
namespace {

/// A pipe does not say how much will come; more than this belongs in a file.
constexpr std::size_t kMostFromPipe = std::size_t{4} << 30U;
constexpr std::size_t kPipeChunk = std::size_t{1} << 20U;

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void fail_to_read(const std::string& name) {
  fail("load", fmt::format("{}: cannot read: {}", name, std::strerror(errno)));
}

class FileSource final : public Source {
 public:
  FileSource(std::string name, std::uint64_t size, Descriptor file)
      : Source(std::move(name), size), file_(std::move(file)) {}

  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 24U;  // between two looks at whether to go on
    while (!out.empty()) {
      poll_interrupt();
      const std::size_t wanted = std::min(out.size(), kMostAtOnce);
      const ssize_t got = ::pread(file_.get(), out.data(), wanted, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_to_read(name());
      check_at(got > 0, {name(), offset}, "data", "the file became shorter while it was read");
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
  }

 private:
  Descriptor file_;
};

class MemorySource final : public Source {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : Source(std::move(name), bytes.size()), bytes_(bytes) {}
  MemorySource(std::string name, std::vector<std::byte> owned)
      : Source(std::move(name), owned.size()), owned_(std::move(owned)), bytes_(owned_) {}

  void read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    std::ranges::copy(bytes_.subspan(static_cast<std::size_t>(offset), out.size()), out.begin());
  }

 private:
  std::vector<std::byte> owned_;
  std::span<const std::byte> bytes_;
};

/// A device such as /dev/zero never ends: what is of none of the formats shows before memory is full of it.
void check_start(const std::string& name, std::span<const std::byte> bytes) {
  if (format_of_bytes(bytes) != FileFormat::kCsv) return;
  const auto zero = std::ranges::find(bytes, std::byte{0});
  check(zero == bytes.end(), "load",
        "{}: byte {}: a zero byte: neither text nor the start of .npy, .npz or .safetensors", name,
        zero - bytes.begin());
}

std::unique_ptr<Source> read_to_end(int fd, const std::string& name) try {
  std::vector<std::byte> bytes;
  for (;;) {
    poll_interrupt();
    const std::size_t have = bytes.size();
    check(have < kMostFromPipe, "load",
          "{}: more than {} bytes came through a pipe; save them to a file first", name, kMostFromPipe);
    bytes.resize(have + kPipeChunk);
    const ssize_t got = ::read(fd, bytes.data() + have, kPipeChunk);
    bytes.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) fail_to_read(name);
    if (have < kPipeChunk) check_start(name, bytes);
    if (got == 0) return std::make_unique<MemorySource>(name, std::move(bytes));
  }
} catch (const std::bad_alloc&) {
  fail("load",
       fmt::format("{}: more came through a pipe than there is memory for; save it to a file first", name));
}

}  // namespace

std::unique_ptr<Source> open_source(const std::string& path) {
  const std::string name = printable(path);
  check(path.find('\0') == std::string::npos, "load", "{}: a path cannot hold a zero byte", name);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("load", fmt::format("{}: cannot open: {}", name, std::strerror(errno)));
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) fail_to_read(name);
  check(!S_ISDIR(status.st_mode), "load", "{}: is a directory, expected a file", name);
  if (!S_ISREG(status.st_mode)) return read_to_end(file.get(), name);
  return std::make_unique<FileSource>(name, static_cast<std::uint64_t>(status.st_size), std::move(file));
}

std::unique_ptr<Source> standard_input() { return read_to_end(STDIN_FILENO, "standard input"); }

std::unique_ptr<Source> memory_source(std::string name, std::span<const std::byte> bytes) {
  return std::make_unique<MemorySource>(std::move(name), bytes);
}

}  // namespace heed::io
