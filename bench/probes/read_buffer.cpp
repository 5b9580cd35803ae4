// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "read_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heed::bench {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kHugePage = 2 * kMiB;
constexpr std::size_t kWindow = 64 * kMiB;

/// Four times the last-level cache, within reason: virtual machines often report none, or that of a whole socket.
std::size_t buffer_size() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  const long cache = std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE));
#else
  const long cache = 0;
#endif
  return std::clamp(4 * static_cast<std::size_t>(cache), 256 * kMiB, 1024 * kMiB) / kHugePage * kHugePage;
}

}  // namespace

ReadBuffer& ReadBuffer::instance() {
  static ReadBuffer buffer;
  return buffer;
}

ReadBuffer::ReadBuffer() : size_(buffer_size()) {
  void* memory = std::aligned_alloc(kHugePage, size_);
  if (!memory) throw std::bad_alloc();
  memory_.reset(static_cast<std::byte*>(memory));
#if defined(MADV_HUGEPAGE)
  // The most there is to be had: prefetchers stop at the end of a page.
  madvise(memory, size_, MADV_HUGEPAGE);
#endif
  // Touched in parallel, so that each part lies near the processor that reads it; without, all pages would be one page
  // of zeros.
  const auto pages = static_cast<std::int64_t>(size_ / kHugePage);
#pragma omp parallel for schedule(static)
  for (std::int64_t page = 0; page < pages; ++page) {
    std::memset(memory_.get() + static_cast<std::size_t>(page) * kHugePage, 1, kHugePage);
  }
}

ReadBuffer::Window ReadBuffer::next_window(int threads) {
  const std::size_t count = static_cast<std::size_t>(threads);
  const std::size_t share = std::min(std::max(kWindow / count, 4 * kMiB), size_ / count) / 1024 * 1024;
  if (position_ + share * count > size_) position_ = 0;
  const Window window{memory_.get() + position_, share};
  position_ += share * count;
  return window;
}

void ReadBuffer::Free::operator()(void* memory) const noexcept { std::free(memory); }

}  // namespace heed::bench
