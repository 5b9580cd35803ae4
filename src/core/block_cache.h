// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Freed blocks kept for the next allocation of their size. The C library gives large blocks back to the system, which hands
// out zeroed pages one fault at a time: for small problems that costs as much as the work itself.
#pragma once

#include "core/small_blocks.h"

#include <cstddef>
#include <vector>

namespace heed::detail {

class BlockCache {
 public:
  static BlockCache& instance();

  /// What a block for so many bytes really takes: at most an eighth more, so that blocks can be used again.
  static std::size_t rounded(std::size_t bytes) noexcept;

  /// A block of rounded(bytes), or none.
  void* take(std::size_t bytes) noexcept;
  /// Whether the block was kept; if not, it is the caller's to free.
  bool keep(void* block, std::size_t bytes) noexcept;
  void clear() noexcept;
  std::size_t bytes() const noexcept;

 private:
  BlockCache();
  struct Block {
    std::size_t size;
    void* data;
  };
  // Guarded by locks().blocks.
  SmallBlocks small_;
  std::vector<Block> blocks_;  ///< the others, oldest first
  std::size_t total_ = 0;      ///< bytes of blocks_
};

}  // namespace heed::detail
