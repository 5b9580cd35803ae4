// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What is added to the scores of a (key block, query block): a bias, and -inf where a boolean mask forbids a pair.
#pragma once

#include "kernels/cpu/attention/geometry-inl.h"

#include <algorithm>

namespace heed::kernels::cpu::HEED_TIER {

/// bias log2(e). What is finite stays finite, for -inf would mask the pair: the lowest of numbers is a bias people use.
/// Half of it, so that sums with scores and the log-sum-exp are finite too.
template <class T>
HEED_INLINE Vec<T> exponent_of(Vec<T> bias) {
  constexpr T kInf = std::numeric_limits<T>::infinity(), kMost = std::numeric_limits<T>::max() / 2;
  Vec<T> x = bias * set(static_cast<T>(1.4426950408889634));
  if (xsimd::all(xsimd::abs(x) <= set(kMost))) return x;
  x = xsimd::select(x < set(-kMost), set(-kMost), x);
  x = xsimd::select(x > set(kMost), set(kMost), x);
  return xsimd::select((bias == set(-kInf)) | (bias == set(kInf)), bias, x);
}

/// Which pairs of a block a boolean mask lets through, a bit for each.
template <class T>
class AllowedPairs {
 public:
  AllowedPairs(const HeadedMatrix& allowed, const QueryBlock& block, std::int64_t begin, std::int64_t end)
      : keys_(static_cast<int>(end - begin)) {
    const int rows = allowed.row == 0 ? 1 : block.count;
    for (int lane = 0; lane < rows; ++lane) {
      const auto* row =
          row_of<const unsigned char>(allowed, block.b, block.h, block.i + lane) + begin * allowed.column;
      for (int w = 0; w * 64 < keys_; ++w) {
        const int count = std::min(keys_ - w * 64, 64);
        const std::uint64_t bits = word(row + w * 64 * allowed.column, allowed.column, count);
        any_ = any_ || bits != 0;
        all_ = all_ && bits == ones(count);
        words_[w][lane] = bits;
      }
    }
    if (!any_ || all_) return;
    for (int w = 0; w * 64 < keys_; ++w) {
      std::fill(words_[w] + rows, words_[w] + 64, allowed.row == 0 ? words_[w][0] : 0);
      transpose(words_[w]);
    }
  }

  bool any() const { return any_; }
  bool all() const { return all_; }
  /// Lanes from `lane` on that may attend to a key. Not if none or all may.
  HEED_INLINE Mask<T> lanes(int key, int lane) const {
    return lanes_where<T>(words_[key / 64][key % 64] >> lane);
  }

 private:
  static constexpr int kWords = Layout<T>::kBlock / 64;
  static_assert(Layout<T>::kBlock % 64 == 0 && Layout<T>::kQueries <= 64);

  static std::uint64_t ones(int count) {
    return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

  /// Bit n says whether row[n column] is not 0.
  static std::uint64_t word(const unsigned char* row, std::int64_t column, int count) {
    if (column == 1 && count == 64) return bits_of(row);
    std::uint64_t bits = 0;
    for (int n = 0; n < count; ++n) bits |= std::uint64_t{row[n * column] != 0} << n;
    return bits;
  }

  /// Bit j of words[i] becomes bit i of words[j]: halves of squares change places, then quarters, and so on.
  static void transpose(std::uint64_t* words) {
    std::uint64_t low = 0x00000000FFFFFFFF;
    for (int half = 32; half > 0; half /= 2, low ^= low << half) {
      for (int i = 0; i < 64; i = (i + half + 1) & ~half) {
        const std::uint64_t changed = (words[i] >> half ^ words[i + half]) & low;
        words[i] ^= changed << half;
        words[i + half] ^= changed;
      }
    }
  }

  int keys_;
  bool any_ = false, all_ = true;
  std::uint64_t words_[kWords][64];  ///< per row of queries, then per key
};

/// What is added to the scores of a block.
template <class T>
struct Extra {
  bool none;      ///< no pair may take part
  const T* data;  ///< (keys, kQueries): bias log2(e), -inf where the mask forbids; none: nothing to add
};

/// In `buffer`, if there is anything.
template <class T>
Extra<T> extra_of(const AttendProblem& p, const QueryBlock& block, std::int64_t begin, std::int64_t end,
                  T* buffer) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  if (p.bias.data) {
    Rows<T> bias = rows_of<T>(p.bias, block.b, block.h, block.i);
    bias.data += begin * p.bias.column;
    pack<T>(bias, block.count, end - begin, T{1}, buffer);
    for (std::int64_t j = 0; j < end - begin; ++j) {
      for (int lane = 0; lane < block.count; lane += kN) {
        T* at = buffer + j * kWidth + lane;
        // Lanes that are no rows take no part either.
        store(at,
              xsimd::select(lanes_in<T>(0, block.count - lane), exponent_of<T>(load(at)), set(kMinusInf<T>)));
      }
    }
  }
  if (!p.mask.allowed.data) return {false, p.bias.data ? buffer : nullptr};
  const AllowedPairs<T> allowed(p.mask.allowed, block, begin, end);
  if (!allowed.any() || allowed.all()) return {!allowed.any(), p.bias.data ? buffer : nullptr};
  for (int j = 0; j < end - begin; ++j) {
    for (int lane = 0; lane < block.count; lane += kN) {
      T* at = buffer + j * kWidth + lane;
      store(at, xsimd::select(allowed.lanes(j, lane), p.bias.data ? load(at) : set(T{0}), set(kMinusInf<T>)));
    }
  }
  return {false, buffer};
}

}  // namespace heed::kernels::cpu::HEED_TIER
