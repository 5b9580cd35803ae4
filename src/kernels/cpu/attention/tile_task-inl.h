// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a tile of keys by queries is given: where they lie, who takes part, where weights go.
#pragma once

#include "kernels/cpu/attention/layout-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// What a query block keeps from key block to key block: arrays of kQueries.
template <class T>
struct LaneState {
  T* reference;  ///< -inf until the lane has met a key
  T* sum;
};

/// Which pairs of a (key block, query block) take part.
template <class T>
struct BlockMask {
  const T* low;   ///< per lane, for tiles not inside: first key, counted from the block's start ...
  const T* high;  ///< ... and one past the last
  const T*
      extra;  ///< (kBlock, kQueries): bias in exponents of 2, -inf where masked; none: no bias and no mask
  T softcap;  ///< in exponents of 2; 0: none
  T* slope;   ///< (kBlock, kQueries): receives softcap's derivative; none: not wanted
};

enum class TileKind {
  kOnline,   ///< updates reference and sum
  kKnown,    ///< the reference is the log-sum-exp: weights come out normalised
  kLargest,  ///< only finds each lane's largest exponent
  kFirst,    ///< only gives a reference to lanes that have none
};

/// A tile of kKeys keys by kVecs vectors of queries. Pointers are those of the tile's first key and first lane.
template <class T>
struct TileTask {
  const T* keys;
  std::int64_t key_stride;
  const T* queries;  ///< packed
  FetchedRows<T> ahead;
  T* weights;  ///< (., kQueries)
  LaneState<T> lanes;
  BlockMask<T> mask;
  int key;      ///< of the first key in the block
  bool inside;  ///< every pair lies in its row's range, which need not be known
  bool plain;   ///< every lane has its reference, and what becomes of exponents is known: weights
  bool first;   ///< the same, but for some lane without a reference
  bool near;    ///< every lane's reference is 0
  bool far;     ///< some lane's reference is_far; only asked where scores are computed from references
  T* largest;   ///< kLargest: one per lane
};

/// The tile at key `key` and lane `lane` of a block, whose task is that of a tile at key 0 and lane 0. Not inlined, and member by
/// member: a copy that is then changed is written in parts and read whole, for which the processor waits until all that was
/// stored before has reached the cache (1 % of n = 128 and of causal n = 512 on Intel).
template <class T>
__attribute__((noinline)) TileTask<T> tile_at(const TileTask<T>& block, int key, int lane) {
  const std::int64_t at = key * Layout<T>::kQueries + lane;
  const BlockMask<T>& mask = block.mask;
  return {.keys = block.keys + key * block.key_stride,
          .key_stride = block.key_stride,
          .queries = block.queries + lane,
          .ahead = {block.ahead.at(key), block.ahead.stride},
          .weights = block.weights + at,
          .lanes = {block.lanes.reference + lane, block.lanes.sum + lane},
          .mask = {.low = mask.low + lane,
                   .high = mask.high + lane,
                   .extra = mask.extra ? mask.extra + at : nullptr,
                   .softcap = mask.softcap,
                   .slope = mask.slope ? mask.slope + at : nullptr},
          .key = key,
          .inside = block.inside,
          .plain = block.plain,
          .first = block.first,
          .near = block.near,
          .far = block.far,
          .largest = block.largest + lane};
}

/// So many tiles of so many keys, one after the other.
struct TileRun {
  int size, count;
};

/// The next tiles when `left` keys of a block are left: large ones, then smaller ones. Two or three keys keep too few sums under
/// way, so the last large tile makes way for two smaller ones: 128 keys are 20 x 6 + 2 x 4.
template <class T>
TileRun next_tiles(std::int64_t left) {
  using L = Layout<T>;
  const int large = static_cast<int>(left / L::kKeys), over = static_cast<int>(left % L::kKeys);
  const bool makes_way = over >= 2 * L::kFewKeys - L::kKeys && over < L::kFewKeys;
  if (const int count = large - (makes_way ? 1 : 0); count > 0) return {L::kKeys, count};
  if (left >= L::kFewKeys) return {L::kFewKeys, static_cast<int>(left / L::kFewKeys)};
  return {1, static_cast<int>(left)};
}

/// Keys of a block of `keys` keys that large tiles take.
template <class T>
int keys_of_large_tiles(std::int64_t keys) {
  const TileRun run = next_tiles<T>(keys);
  return run.size == Layout<T>::kKeys ? run.size * run.count : 0;
}

/// body.operator()<n>() for n = size, as next_tiles gives it.
template <class T, class Body>
HEED_INLINE void with_tile_keys(int size, const Body& body) {
  using L = Layout<T>;
  if (size == L::kKeys) return body.template operator()<L::kKeys>();
  if (size == L::kFewKeys) return body.template operator()<L::kFewKeys>();
  body.template operator()<1>();
}

}  // namespace heed::kernels::cpu::HEED_TIER
