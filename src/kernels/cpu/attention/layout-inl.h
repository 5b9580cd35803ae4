// Sizes of the engine's tiles, by register file.
#pragma once

#include "kernels/cpu/attention/simd-inl.h"

#include <utility>

namespace heed::kernels::cpu::HEED_TIER {

/// Queries lie along the lanes. A query block is kVectors registers wide; a score tile is kKeys keys by one block.
/// kKeys x kVectors accumulators, kVectors queries and one broadcast key must fit the registers: 6 x 4 of 32 (24 + 5),
/// 6 x 2 of 16 (12 + 3). A key block is 24 tiles high: its weights (36 KiB, 9 KiB) stay near, and 144 is a multiple of the
/// 8 keys that share random bits.
template <class T>
struct Layout {
  static constexpr int kVectors = kRegisters == 32 ? 4 : 2;
  static constexpr int kQueries = kVectors * kLanes<T>;
  static constexpr int kKeys = 6;
  /// Fewer keys than a tile's are tiles of so many, and of 1: more sizes would be more code to compile.
  static constexpr int kFewKeys = 2;
  static constexpr int kBlock = 24 * kKeys;
  /// Keys of a forward chunk: large enough that starting anew and merging cost nothing, small enough to share out.
  static constexpr int kChunk = 16 * kBlock;
  /// Pooling has the value features along the lanes: rows x vectors accumulators, at most this many vectors.
  static constexpr int kPoolVectors = kRegisters == 32 ? 4 : 2;
  static constexpr int kAccumulators = kRegisters == 32 ? 24 : 12;
};

/// body.operator()<n>() for n = vectors, in 1..kVectors.
template <class T, class Body>
HEED_INLINE void with_vectors(int vectors, const Body& body) {
  [&]<int... n>(std::integer_sequence<int, n...>) HEED_INLINE_LAMBDA {
    ((vectors == n + 1 ? body.template operator()<n + 1>() : void()), ...);
  }
  (std::make_integer_sequence<int, Layout<T>::kVectors>());
}

/// Rows to fetch into the cache while a tile is computed, one per key of it.
template <class T>
struct FetchedRows {
  const T* data;
  std::int64_t stride;
};

/// Up to so many value features are pooled with queries along the lanes.
inline constexpr int kFewColumns = 4;

}  // namespace heed::kernels::cpu::HEED_TIER
