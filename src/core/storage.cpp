#include "core/storage.h"

#include "core/block_cache.h"
#include "core/check.h"

#include <heed/runtime.h>

#include <new>

namespace heed {
namespace {

constexpr std::align_val_t kAlignment{64};

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

void* new_block(std::size_t bytes) {
  if (!kCache) return ::operator new(bytes, kAlignment, std::nothrow);
  detail::BlockCache& cache = detail::BlockCache::instance();
  if (void* kept = cache.take(bytes)) return kept;
  const std::size_t size = detail::BlockCache::rounded(bytes);
  if (void* fresh = ::operator new(size, kAlignment, std::nothrow)) return fresh;
  cache.clear();
  return ::operator new(size, kAlignment, std::nothrow);
}

}  // namespace

namespace detail {

void* allocate(std::size_t bytes) {
  const std::size_t limit = limit_bytes.load(std::memory_order_relaxed);
  const std::size_t before = current_bytes.fetch_add(bytes, std::memory_order_relaxed);
  const bool allowed = limit == 0 || (bytes <= limit && before <= limit - bytes);
  void* data = allowed ? new_block(bytes) : nullptr;
  if (data == nullptr) {
    current_bytes.fetch_sub(bytes, std::memory_order_relaxed);
    fail("allocate",
         allowed ? fmt::format("out of memory: {} bytes asked for, {} in use", bytes, before)
                 : fmt::format("memory limit of {} bytes: {} asked for, {} in use", limit, bytes, before));
  }
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  raise_peak(before + bytes);
  return data;
}

void free_block(void* data) noexcept { ::operator delete(data, kAlignment); }

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
