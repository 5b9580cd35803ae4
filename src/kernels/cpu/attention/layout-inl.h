// Sizes of the engine's tiles, by register file.
#pragma once

#include "kernels/cpu/attention/simd-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Queries lie along the lanes. A query block is kVectors registers wide; a score tile is kKeys keys by one block.
/// kKeys x kVectors accumulators, kVectors queries and one broadcast key must fit the registers: 8 x 3 of 32 (24 + 4),
/// 6 x 2 of 16 (12 + 3). A key block is 16 tiles high, so that its weights stay in the L1 cache (24 KiB).
template <class T>
struct Layout {
  static constexpr int kVectors = kRegisters == 32 ? 3 : 2;
  static constexpr int kQueries = kVectors * kLanes<T>;
  static constexpr int kKeys = kRegisters == 32 ? 8 : 6;
  static constexpr int kBlock = 16 * kKeys;
  /// Keys of a forward chunk: large enough that starting anew and merging cost nothing, small enough to share out.
  static constexpr int kChunk = 16 * kBlock;
  /// Pooling has the value features along the lanes: rows x vectors accumulators, at most this many vectors.
  static constexpr int kPoolVectors = kRegisters == 32 ? 4 : 2;
  static constexpr int kAccumulators = kRegisters == 32 ? 24 : 12;
};

/// Rows to fetch into the cache while a tile is computed, one per key of it.
template <class T>
struct FetchedRows {
  const T* data;
  std::int64_t stride;
};

/// Up to so many value features are pooled with queries along the lanes.
inline constexpr int kFewColumns = 4;

}  // namespace heed::kernels::cpu::HEED_TIER
