// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/storage.h"

#include "core/block_cache.h"
#include "core/check.h"

#include <heed/runtime.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>

namespace heed {
namespace {

constexpr std::size_t kAlignment = 64;
/// From this size on a block is of huge pages where the system has them: with small ones, reading on through gigabytes of
/// keys and values takes a third longer, for the processor looks up every page and fetches nothing beyond its end.
constexpr std::size_t kHugePage = std::size_t{1} << 21;

std::atomic<std::size_t> current_bytes{0};
std::atomic<std::size_t> peak_bytes{0};
std::atomic<std::size_t> limit_bytes{0};
std::atomic<std::uint64_t> allocation_count{0};

void raise_peak(std::size_t bytes) noexcept {
  std::size_t seen = peak_bytes.load(std::memory_order_relaxed);
  while (seen < bytes && !peak_bytes.compare_exchange_weak(seen, bytes, std::memory_order_relaxed)) {
  }
}

// Under a sanitizer a freed block must stay freed, or its misuse would go unnoticed.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEED_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEED_SANITIZED
#endif
#if defined(HEED_SANITIZED)
constexpr bool kCache = false;
#else
constexpr bool kCache = true;
#endif

void* fresh_block(std::size_t bytes) noexcept {
  const bool huge = bytes >= kHugePage;
  void* block = nullptr;
  if (posix_memalign(&block, huge ? kHugePage : kAlignment, std::max(bytes, kAlignment)) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
  // The end, less than a huge page, stays on small ones: nobody's memory is wasted.
  if (huge) madvise(block, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return block;
}

void* new_block(std::size_t bytes) {
  if (!kCache) return fresh_block(bytes);
  detail::BlockCache& cache = detail::BlockCache::instance();
  if (void* kept = cache.take(bytes)) return kept;
  const std::size_t size = detail::BlockCache::rounded(bytes);
  if (void* fresh = fresh_block(size)) return fresh;
  cache.clear();
  return fresh_block(size);
}

}  // namespace

namespace detail {

void* allocate(std::size_t bytes) {
  const std::size_t limit = limit_bytes.load(std::memory_order_relaxed);
  const auto fits = [&](std::size_t used) { return limit == 0 || (bytes <= limit && used <= limit - bytes); };
  // Counted only if it fits: what is refused must not keep another thread from what does.
  std::size_t before = current_bytes.load(std::memory_order_relaxed);
  bool allowed = fits(before);
  while (allowed && !current_bytes.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed)) {
    allowed = fits(before);
  }
  void* data = allowed ? new_block(bytes) : nullptr;
  if (data == nullptr) {
    if (allowed) current_bytes.fetch_sub(bytes, std::memory_order_relaxed);
    fail("allocate",
         allowed ? fmt::format("out of memory: {} bytes asked for, {} in use", bytes, before)
                 : fmt::format("memory limit of {} bytes: {} asked for, {} in use", limit, bytes, before));
  }
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  raise_peak(before + bytes);
  return data;
}

void free_block(void* data) noexcept { std::free(data); }

void release(void* data, std::size_t bytes) noexcept {
  if (!kCache || !BlockCache::instance().keep(data, bytes)) free_block(data);
  current_bytes.fetch_sub(bytes, std::memory_order_relaxed);
}

Storage::Storage(std::size_t bytes)
    : data_(static_cast<std::byte*>(allocate(bytes))),
      owned_bytes_(bytes),
      borrowed_(false),
      writable_(true) {}

Storage::Storage(void* data, std::shared_ptr<void> owner, bool writable) noexcept
    : data_(static_cast<std::byte*>(data)),
      owned_bytes_(0),
      borrowed_(true),
      owner_(std::move(owner)),
      writable_(writable) {}

Storage::~Storage() {
  if (!borrowed_) release(data_, owned_bytes_);
}

}  // namespace detail

MemoryUse memory_use() noexcept {
  return {current_bytes.load(std::memory_order_relaxed), peak_bytes.load(std::memory_order_relaxed),
          allocation_count.load(std::memory_order_relaxed), detail::BlockCache::instance().bytes()};
}

void release_cached_memory() noexcept { detail::BlockCache::instance().clear(); }

void reset_peak_memory() noexcept { peak_bytes.store(current_bytes.load()); }

void set_memory_limit(std::size_t bytes) noexcept { limit_bytes.store(bytes); }

}  // namespace heed
