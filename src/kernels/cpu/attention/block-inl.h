// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One query block against one key block: who takes part, and the tile that turns scores into weights.
//
// The softmax is online with a lagging reference. A lane (a query) takes its reference from the largest score of the
// first tile in which it meets a key, so that no maximum is taken in the loop: 0 if that is near, which then needs no
// subtracting, else the score itself. Only a lane whose sum grows past kTooLarge gets a new reference, at the end of a key
// block. Everything is decided lane by lane, so a row's bits do not depend on its neighbours. Scores are summed from 0 and
// the reference is subtracted after: starting the sums at minus the reference saves an instruction, but rounds the first
// tile's keys differently from equal ones in later tiles. A score whose tile takes so little that this counts
// (kFromReference) has it computed again, from the reference it gave.
//
// Weights are summed block by block and then the blocks, as values are: one sum over a long row would lose digits.
#pragma once

#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/softcap-inl.h"
#include "kernels/cpu/attention/tile_task-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// With such a log-sum-exp, in exponents of 2, weights would be off by a few ten thousandths.
template <class T>
bool too_far_for_weights(T reference) {
  constexpr T kFar = sizeof(T) == 4 ? static_cast<T>(4096) : static_cast<T>(1e12);
  return reference > kFar || reference < -kFar;
}

/// The reference of a lane whose first tile has this largest exponent.
template <class T>
HEED_INLINE Vec<T> first_reference(Vec<T> largest) {
  return xsimd::select(xsimd::abs(largest) <= set(T{16}), set(T{0}), largest);
}

/// References from which no score is computed (kFromReference): rounding them takes more than weights can bear.
template <class T>
HEED_INLINE Mask<T> is_far(Vec<T> reference) {
  constexpr T kFar = static_cast<T>(sizeof(T) == 4 ? 0x1p20 : 0x1p48);
  return (xsimd::abs(reference) > set(kFar)) & !(reference == set(kMinusInf<T>));
}

/// Tiles are weighed while NoDenormals lives.
template <class T>
HEED_INLINE Vec<T> weight_of(Vec<T> exponent) {
  return exp2<Denormals::kFlushed>(exponent);
}

/// Weights of `keys` keys are 0 in the vectors that none of them meets.
template <class T>
void clear_inactive(T* weights, int keys, const ActiveVectors& active, int vectors) {
  for (int v = 0; v < vectors; ++v) {
    if (v >= active.first && v < active.last) continue;
    for (int r = 0; r < keys; ++r) store(weights + r * Layout<T>::kQueries + v * kLanes<T>, set(T{0}));
  }
}

/// The careful way: exponents lie in t.weights; softcap, bias, mask and reference are seen to, vector by vector.
template <class T>
__attribute__((noinline)) void weigh_carefully(const TileTask<T>& t, int keys, int vectors, TileKind kind) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  for (int v = 0; v < vectors; ++v) {
    const Vec<T> low = t.inside ? set(kMinusInf<T>) : load(t.mask.low + v * kN);
    const Vec<T> high = t.inside ? set(-kMinusInf<T>) : load(t.mask.high + v * kN);
    Vec<T> largest = set(kMinusInf<T>);
    for (int r = 0; r < keys; ++r) {
      const std::int64_t at = r * kWidth + v * kN;
      Vec<T> x = load(t.weights + at);
      if (t.mask.softcap > 0) {
        x = capped(x, t.mask.softcap, t.mask.slope ? t.mask.slope + at : nullptr);
      }
      const Vec<T> key = set(static_cast<T>(t.key + r));
      auto active = (key >= low) & (key < high);
      if (t.mask.extra) {
        const Vec<T> extra = load(t.mask.extra + at);
        x = x + extra;
        active = active & !(extra == set(kMinusInf<T>));  // not !=, which may say no to NaN
      }
      x = xsimd::select(active, x, set(kMinusInf<T>));
      largest = xsimd::max(x, largest);
      store(t.weights + at, x);
    }
    if (kind == TileKind::kLargest) {
      store(t.largest + v * kN, xsimd::max(load(t.largest + v * kN), largest));
      continue;
    }
    Vec<T> reference = load(t.lanes.reference + v * kN);
    if (kind == TileKind::kOnline || kind == TileKind::kFirst) {
      reference = xsimd::select(reference == set(kMinusInf<T>), first_reference(largest), reference);
      store(t.lanes.reference + v * kN, reference);
    }
    if (kind == TileKind::kFirst) continue;
    // A lane that has met nothing yet has exponents of -inf, from which any number may be subtracted.
    const Vec<T> shift = xsimd::select(reference == set(kMinusInf<T>), set(T{0}), reference);
    Vec<T> sum = load(t.lanes.sum + v * kN);
    for (int r = 0; r < keys; ++r) {
      const std::int64_t at = r * kWidth + v * kN;
      // The reference may be NaN where it comes from the forward.
      const Vec<T> x = load(t.weights + at);
      const Vec<T> e = xsimd::select(x == set(kMinusInf<T>), set(T{0}), weight_of(x - shift));
      sum = sum + e;
      store(t.weights + at, e);
    }
    store(t.lanes.sum + v * kN, sum);
  }
}

/// Exponents of a tile as they are, then the careful way.
template <class T, class Score, int kKeys, int kVecs>
HEED_INLINE void weigh_tile_carefully(const Score& score, const TileTask<T>& t, TileKind kind) {
  Vec<T> x[kKeys][kVecs];
  score.template tile<kKeys, kVecs>(t.keys, t.key_stride, t.queries, t.ahead, x);
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) {
      store(t.weights + r * Layout<T>::kQueries + v * kLanes<T>, x[r][v]);
    }
  }
  weigh_carefully(t, kKeys, kVecs, kind);
}

/// Bias, and -inf where a mask forbids a pair, whose score may be NaN.
template <class T, int kKeys, int kVecs>
HEED_INLINE void add_extra(const TileTask<T>& t, Vec<T> (&x)[kKeys][kVecs]) {
  HEED_UNROLL
  for (int r = 0; r < kKeys; ++r) {
    HEED_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      const Vec<T> extra = load(t.mask.extra + r * Layout<T>::kQueries + v * kLanes<T>);
      x[r][v] = xsimd::select(extra == set(kMinusInf<T>), extra, x[r][v] + extra);
    }
  }
}

/// Lanes without a reference get theirs from the tile's exponents. A lane that has met only NaN still has none then, and 0 is
/// subtracted.
template <class T, int kKeys, int kVecs>
HEED_INLINE void subtract_first_references(const TileTask<T>& t, Vec<T> (&x)[kKeys][kVecs]) {
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    T* at = t.lanes.reference + v * kLanes<T>;
    Vec<T> largest = set(kMinusInf<T>);
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) largest = xsimd::max(x[r][v], largest);
    Vec<T> reference = load(at);
    reference = xsimd::select(reference == set(kMinusInf<T>), first_reference(largest), reference);
    store(at, reference);
    reference = xsimd::select(reference == set(kMinusInf<T>), set(T{0}), reference);
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) x[r][v] = x[r][v] - reference;
  }
}

/// The far ones among the lanes' references, after scores were computed from 0, alike in every tile.
template <class T, int kKeys, int kVecs>
HEED_INLINE void subtract_far_references(const TileTask<T>& t, Vec<T> (&x)[kKeys][kVecs]) {
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    const Vec<T> reference = load(t.lanes.reference + v * kLanes<T>),
                 far = xsimd::select(is_far<T>(reference), reference, set(T{0}));
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) x[r][v] = x[r][v] - far;
  }
}

/// Exponents relative to the lanes' references. Those that are known are subtracted after: where they are whole numbers, as
/// for weights on demand, that is exact, and weights do not depend on them.
template <class T, class Score, int kKeys, int kVecs, bool kOptions>
HEED_INLINE void relative_tile(const Score& score, const TileTask<T>& t, TileKind kind,
                               Vec<T> (&x)[kKeys][kVecs]) {
  const bool softcap = kOptions && t.mask.softcap > 0;
  if constexpr (Score::kFromReference) {
    if (kind == TileKind::kOnline && !softcap) {
      // A lane that has met nothing yet, or only keys infinitely far away, has no reference.
      Vec<T> reference[kVecs];
      const bool first = t.first, far = kOptions && t.far;
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) {
        reference[v] = load(t.lanes.reference + v * kLanes<T>);
        if (first) reference[v] = xsimd::select(reference[v] == set(kMinusInf<T>), set(T{0}), reference[v]);
        if (far) reference[v] = xsimd::select(is_far<T>(reference[v]), set(T{0}), reference[v]);
      }
      score.template tile_from<kKeys, kVecs>(t.keys, t.key_stride, t.queries, reference, x);
      if (far) subtract_far_references(t, x);
      if (kOptions && t.mask.extra) add_extra(t, x);
      return;
    }
  }
  score.template tile<kKeys, kVecs>(t.keys, t.key_stride, t.queries, t.ahead, x);
  if (softcap) cap_tile(t, x);
  if (kOptions && t.mask.extra) add_extra(t, x);
  if (t.near) return;
  if (!Score::kFromReference && t.first) return subtract_first_references(t, x);
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    Vec<T> reference = load(t.lanes.reference + v * kLanes<T>);
    if (Score::kFromReference && t.first)
      reference = xsimd::select(reference == set(kMinusInf<T>), set(T{0}), reference);
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) x[r][v] = x[r][v] - reference;
  }
}

/// Exponents become weights, and go into the sums. kWhole: every pair takes part.
template <class T, int kKeys, int kVecs, bool kWhole>
HEED_INLINE void weigh_exponents(const TileTask<T>& t, const T* forbidden, const Vec<T> (&x)[kKeys][kVecs]) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  HEED_UNROLL
  for (int v = 0; v < kVecs; ++v) {
    Vec<T> sum = load(t.lanes.sum + v * kN);
    const bool ranges = !kWhole && !t.inside;
    const Vec<T> low = ranges ? load(t.mask.low + v * kN) : set(kMinusInf<T>);
    const Vec<T> high = ranges ? load(t.mask.high + v * kN) : set(-kMinusInf<T>);
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) {
      Vec<T> e = weight_of(x[r][v]);
      if constexpr (!kWhole) {
        const Vec<T> key = set(static_cast<T>(t.key + r));
        auto active = (key >= low) & (key < high);
        if (forbidden) active = active & !(load(forbidden + r * kWidth + v * kN) == set(kMinusInf<T>));
        e = xsimd::select(active, e, set(T{0}));
      }
      sum = sum + e;
      store(t.weights + r * kWidth + v * kN, e);
    }
    store(t.lanes.sum + v * kN, sum);
  }
}

/// With a softcap, a bias, a boolean mask or rows that are far. Not inlined, or the tiles without would have fewer registers.
template <class T, class Score, int kKeys, int kVecs>
__attribute__((noinline)) void weigh_tile_with_options(const Score& score, const TileTask<T>& t,
                                                       TileKind kind) {
  Vec<T> x[kKeys][kVecs];
  relative_tile<T, Score, kKeys, kVecs, true>(score, t, kind, x);
  // A weight of an exponent of -inf is 0, unless the reference is NaN, as it may be if it comes from the forward.
  weigh_exponents<T, kKeys, kVecs, false>(t, kind == TileKind::kKnown ? t.mask.extra : nullptr, x);
}

/// `tiles` tiles of kKeys keys one after the other, all weighed the same way; `t` is that of the first,
/// and moves on with them.
template <class T, class Score, int kKeys, int kVecs>
__attribute__((noinline)) void weigh_tiles(const Score& score, TileTask<T>& t, TileKind kind, int tiles) {
  constexpr int kWidth = Layout<T>::kQueries;
  if (Score::kFromReference && t.first) {
    weigh_tile_carefully<T, Score, kKeys, kVecs>(score, t, TileKind::kFirst);
    t.plain = true;
    auto far = Mask<T>(false);
    for (int v = 0; v < kVecs; ++v) far = far | is_far<T>(load(t.lanes.reference + v * kLanes<T>));
    t.far = xsimd::any(far);
  }
  if (t.first && t.inside) t.plain = true;
  for (; tiles > 0; --tiles) {
    if (!t.plain) {
      weigh_tile_carefully<T, Score, kKeys, kVecs>(score, t, kind);
    } else if (t.mask.extra || t.mask.softcap > 0 || (Score::kFromReference && t.far)) {
      weigh_tile_with_options<T, Score, kKeys, kVecs>(score, t, kind);
    } else {
      Vec<T> x[kKeys][kVecs];
      relative_tile<T, Score, kKeys, kVecs, false>(score, t, kind, x);
      // Single keys are rare enough to go the second-quickest way.
      if (kKeys > 1 && t.inside) {
        weigh_exponents<T, kKeys, kVecs, true>(t, nullptr, x);
      } else {
        weigh_exponents<T, kKeys, kVecs, false>(t, nullptr, x);
      }
    }
    t.keys += kKeys * t.key_stride;
    t.ahead.data += kKeys * t.ahead.stride;
    t.weights += kKeys * kWidth;
    t.key += kKeys;
    if (t.mask.extra) t.mask.extra += kKeys * kWidth;
    if (t.mask.slope) t.mask.slope += kKeys * kWidth;
  }
}

/// `tiles` tiles of `size` keys of a block from key `key` on, by the vectors that are active.
template <class T, class Score>
void weigh(const Score& score, const TileTask<T>& block, int key, int size, int tiles,
           const ActiveVectors& active, TileKind kind) {
  with_tile_keys<T>(size, [&]<int kKeys>() {
    by_tile_width<T>(active.last - active.first, [&]<int kVecs>(int first) {
      const int lane = (active.first + first) * kLanes<T>;
      TileTask<T> t = tile_at(block, key, lane);
      weigh_tiles<T, Score, kKeys, kVecs>(score, t, kind, tiles);
    });
  });
}

}  // namespace heed::kernels::cpu::HEED_TIER
