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

  /// Whether the block was kept.
  bool keep(void* block, std::size_t bytes) noexcept {
    const Size size = size_of(bytes);
    if (total_ + size.bytes > kMostBytes) return false;
    Freed*& list = lists_[size.list];
    list = new (block) Freed{list};
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

  std::array<Freed*, 64> lists_{};
  std::size_t total_ = 0;
};

}  // namespace heed::detail
