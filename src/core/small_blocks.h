// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Freed blocks below 64 KiB, kept in lists by size: the C library looks for an aligned block, splits it and puts the rest back
// together, which took a quarter of a small call.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <new>

namespace heed::detail {

class SmallBlocks {
 public:
  static constexpr std::size_t kEnd = std::size_t{1} << 16, kMostBytes = std::size_t{1} << 21;

  /// What a block for so many bytes, fewer than kEnd, really takes: at most an eighth more, or 64 bytes.
  static std::size_t rounded(std::size_t bytes) noexcept { return size_of(bytes).bytes; }

  /// A block of rounded(bytes), or none.
  void* take(std::size_t bytes) noexcept {
    const Size size = size_of(bytes);
    Freed*& list = lists_[size.list];
    if (list == nullptr) return nullptr;
    Freed* block = list;
    list = block->next;
    total_ -= size.bytes;
    return block;
  }

  /// Whether the block was kept. Blocks of other sizes make room for it: those may be in use no more.
  template <class Free>
  bool keep(void* block, std::size_t bytes, const Free& free) noexcept {
    const Size size = size_of(bytes);
    while (total_ + size.bytes > kMostBytes) {
      if (!free_one_not_in(size.list, free)) return false;
    }
    Freed*& list = lists_[size.list];
    list = new (block) Freed{list, size.bytes};
    total_ += size.bytes;
    return true;
  }

  template <class Free>
  void clear(const Free& free) noexcept {
    for (Freed*& list : lists_) {
      while (list != nullptr) {
        Freed* next = list->next;
        free(list);
        list = next;
      }
    }
    total_ = 0;
  }

  std::size_t bytes() const noexcept { return total_; }

 private:
  struct Freed {
    Freed* next;
    std::size_t bytes;
  };
  struct Size {
    std::size_t list, bytes;
  };

  /// Multiples of a cache line up to 16 of them, then eight sizes for each power of 2.
  static Size size_of(std::size_t bytes) noexcept {
    constexpr std::size_t kLine = 64;
    const std::size_t lines = bytes == 0 ? 0 : (bytes - 1) / kLine;  // less one
    const auto width = static_cast<std::size_t>(std::bit_width(lines)), shift = width > 4 ? width - 4 : 0;
    return {8 * shift + (lines >> shift), (((lines >> shift) + 1) << shift) * kLine};
  }

  /// Whether there was one. A list is emptied before the next: the long ones of sizes no longer in use pay most, while a
  /// short one of a size in use fills again.
  template <class Free>
  bool free_one_not_in(std::size_t list, const Free& free) noexcept {
    for (std::size_t n = 0; n < lists_.size(); ++n) {
      Freed*& victims = lists_[victim_];
      if (victim_ != list && victims != nullptr) {
        Freed* block = victims;
        victims = block->next;
        total_ -= block->bytes;
        free(block);
        return true;
      }
      victim_ = (victim_ + 1) % lists_.size();
    }
    return false;
  }

  std::array<Freed*, 64> lists_{};
  std::size_t victim_ = 0;  ///< the list that makes room
  std::size_t total_ = 0;
};

}  // namespace heed::detail
