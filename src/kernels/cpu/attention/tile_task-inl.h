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
  T* largest;   ///< kLargest: one per lane
};

/// The tile at key `key` and lane `lane` of a block, whose task is that of a tile at key 0 and lane 0.
template <class T>
HEED_INLINE TileTask<T> tile_at(const TileTask<T>& block, int key, int lane) {
  const std::int64_t at = key * Layout<T>::kQueries + lane;
  TileTask<T> t = block;
  t.keys += key * t.key_stride;
  t.queries += lane;
  t.ahead.data += key * t.ahead.stride;
  t.weights += at;
  t.lanes.reference += lane;
  t.lanes.sum += lane;
  t.mask.low += lane;
  t.mask.high += lane;
  if (t.mask.extra) t.mask.extra += at;
  if (t.mask.slope) t.mask.slope += at;
  t.largest += lane;
  t.key = key;
  return t;
}

/// Keys of the next tile when `left` are left.
template <class T>
int tile_keys(std::int64_t left) {
  using L = Layout<T>;
  return left >= L::kKeys ? L::kKeys : left >= L::kFewKeys ? L::kFewKeys : 1;
}

/// body.operator()<n>() for n = size, as tile_keys gives it.
template <class T, class Body>
HEED_INLINE void with_tile_keys(int size, const Body& body) {
  using L = Layout<T>;
  if (size == L::kKeys) return body.template operator()<L::kKeys>();
  if (size == L::kFewKeys) return body.template operator()<L::kFewKeys>();
  body.template operator()<1>();
}

}  // namespace heed::kernels::cpu::HEED_TIER
