// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sizes of the engine's tiles, by register file.
#pragma once

#include "kernels/cpu/attention/simd-inl.h"

#include <utility>

namespace heed::kernels::cpu::HEED_TIER {

/// Queries lie along the lanes. A query block is 256 bytes of them wide, which is four of the widest vectors, and a key block
/// 32 tiles high: its weights, 48 KiB, stay near, and 192 is a multiple of the 8 keys that share random bits.
///
/// A score tile is kKeys keys by kTileVectors vectors: as many accumulators, kTileVectors queries and one broadcast key must
/// fit the registers, 6 x 4 of 32 (24 + 5), 6 x 2 of 16 (12 + 3).
template <class T>
struct Layout {
  static constexpr int kQueries = 256 / sizeof(T);
  static constexpr int kVectors = kQueries / kLanes<T>;
  static constexpr int kTileVectors = kRegisters == 32 ? 4 : 2;
  static constexpr int kKeys = 6;
  /// Fewer keys than a tile's are tiles of so many, and of 1: more sizes would be more code to compile.
  static constexpr int kFewKeys = 4;
  static constexpr int kBlock = 32 * kKeys;
  /// Keys of a forward chunk: large enough that starting anew and merging cost nothing, small enough to share out.
  static constexpr int kChunk = 12 * kBlock;
  /// Pooling has the value features along the lanes: rows x vectors accumulators, at most this many vectors.
  static constexpr int kPoolVectors = kRegisters == 32 ? 4 : 2;
  static constexpr int kAccumulators = kRegisters == 32 ? 24 : 12;
};

/// body.operator()<n>(first) for all of `vectors` vectors, n = 1..kTileVectors of them at a time from `first` on.
template <class T, class Body>
HEED_INLINE void by_tile_width(int vectors, const Body& body) {
  constexpr int kMost = Layout<T>::kTileVectors;
  int first = 0;
  for (; first + kMost <= vectors; first += kMost) body.template operator()<kMost>(first);
  [&]<int... n>(std::integer_sequence<int, n...>) HEED_INLINE_LAMBDA {
    ((vectors - first == n + 1 ? body.template operator()<n + 1>(first) : void()), ...);
  }
  (std::make_integer_sequence<int, kMost - 1>());
}

/// Rows to fetch into the cache while a tile is computed, one per key of it.
template <class T>
struct FetchedRows {
  const T* data;
  std::int64_t stride;
  const T* at(std::int64_t i) const { return data + i * stride; }
};

/// Up to so many value features are pooled with queries along the lanes.
inline constexpr int kFewColumns = 4;

}  // namespace heed::kernels::cpu::HEED_TIER
