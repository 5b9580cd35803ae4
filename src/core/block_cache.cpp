#include "core/block_cache.h"

#include "core/locks.h"
#include "core/storage.h"

#include <algorithm>
#include <bit>

namespace heed::detail {
namespace {

// Smaller blocks stay with the C library anyway; larger ones take longer to fill than to fault in.
constexpr std::size_t kSmallest = std::size_t{1} << 16, kLargest = std::size_t{1} << 25;
constexpr std::size_t kMostBytes = std::size_t{1} << 26, kMostBlocks = 64;

bool cacheable(std::size_t bytes) noexcept { return bytes >= kSmallest && bytes <= kLargest; }

}  // namespace

BlockCache& BlockCache::instance() {
  // Never destroyed: tensors with static storage may outlive it.
  static BlockCache& cache = *new BlockCache;
  return cache;
}

BlockCache::BlockCache() { blocks_.reserve(kMostBlocks); }

std::size_t BlockCache::rounded(std::size_t bytes) noexcept {
  if (!cacheable(bytes)) return bytes;
  const std::size_t step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

void* BlockCache::take(std::size_t bytes) noexcept {
  if (!cacheable(bytes)) return nullptr;
  const std::lock_guard lock(locks().blocks);
  // The newest first: it is the likeliest to be in a processor's cache.
  const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                  [size = rounded(bytes)](const Block& block) { return block.size == size; });
  if (found == blocks_.rend()) return nullptr;
  void* data = found->data;
  total_ -= found->size;
  blocks_.erase(std::next(found).base());
  return data;
}

bool BlockCache::keep(void* block, std::size_t bytes) noexcept {
  if (!cacheable(bytes)) return false;
  const std::size_t size = rounded(bytes);
  const std::lock_guard lock(locks().blocks);
  while (!blocks_.empty() && (blocks_.size() == kMostBlocks || total_ + size > kMostBytes)) {
    free_block(blocks_.front().data);
    total_ -= blocks_.front().size;
    blocks_.erase(blocks_.begin());
  }
  blocks_.push_back({size, block});
  total_ += size;
  return true;
}

void BlockCache::clear() noexcept {
  const std::lock_guard lock(locks().blocks);
  for (const Block& block : blocks_) free_block(block.data);
  blocks_.clear();
  total_ = 0;
}

std::size_t BlockCache::bytes() const noexcept {
  const std::lock_guard lock(locks().blocks);
  return total_;
}

}  // namespace heed::detail
