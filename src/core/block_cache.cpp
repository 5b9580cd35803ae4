// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/block_cache.h"

#include "core/locks.h"
#include "core/storage.h"

#include <algorithm>
#include <bit>

namespace heed::detail {
namespace {

// Larger blocks take longer to fill than to fault in.
constexpr std::size_t kLargest = std::size_t{1} << 25;
constexpr std::size_t kMostBytes = (std::size_t{1} << 26) - SmallBlocks::kMostBytes, kMostBlocks = 64;

bool small(std::size_t bytes) noexcept { return bytes < SmallBlocks::kEnd; }

}  // namespace

BlockCache& BlockCache::instance() {
  // Never destroyed: tensors with static storage may outlive it.
  static BlockCache& cache = *new BlockCache;
  return cache;
}

BlockCache::BlockCache() { blocks_.reserve(kMostBlocks); }

std::size_t BlockCache::rounded(std::size_t bytes) noexcept {
  if (small(bytes)) return SmallBlocks::rounded(bytes);
  if (bytes > kLargest) return bytes;
  const std::size_t step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

void* BlockCache::take(std::size_t bytes) noexcept {
  if (bytes > kLargest) return nullptr;
  if (small(bytes)) {
    // Nobody waits for another thread here: the C library has a small block sooner.
    const std::unique_lock lock(locks().blocks, std::try_to_lock);
    return lock ? small_.take(bytes) : nullptr;
  }
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
  if (bytes > kLargest) return false;
  if (small(bytes)) {
    const std::unique_lock lock(locks().blocks, std::try_to_lock);
    return lock && small_.keep(block, bytes, free_block);
  }
  const std::lock_guard lock(locks().blocks);
  const std::size_t size = rounded(bytes);
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
  small_.clear(free_block);
  for (const Block& block : blocks_) free_block(block.data);
  blocks_.clear();
  total_ = 0;
}

std::size_t BlockCache::bytes() const noexcept {
  const std::lock_guard lock(locks().blocks);
  return small_.bytes() + total_;
}

}  // namespace heed::detail
