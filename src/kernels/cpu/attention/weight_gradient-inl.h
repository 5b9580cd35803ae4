// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// From output gradients to gradients of scores: ds_ij = p_ij (dropout_ij do_i . v_j - delta_i), in place of tiles of
// do . v, which is the dot product's tile again with values for keys.
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/dropout-inl.h"
#include "kernels/cpu/attention/score_dot-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// One (key block, query block).
template <class T>
struct WeightGradientTask {
  Rows<T> values;
  std::int64_t Dv;
  const T* grads;  ///< (Dv, kQueries): output gradients, packed
  const T* delta;  ///< (kQueries): grad_lse - sum_c do_c o_c
  T* weights;  ///< (keys, kQueries): p; become the dropped weights, which is what the values' gradient needs
  T* scores;   ///< (keys, kQueries): receives ds
  T* factors;  ///< (keys, kQueries): dropout's; none: no dropout
  int keys, vectors;
  bool masked;  ///< some pair does not take part: its weight is 0, and so is its ds whatever v is
};

/// `tiles` tiles of kKeys keys from `key` on.
template <class T, int kKeys, int kVecs>
__attribute__((noinline)) void weight_gradient_tiles(const WeightGradientTask<T>& t, int key, int lane,
                                                     int tiles) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  const T *factors = t.factors, *delta = t.delta + lane;
  const bool masked = t.masked;
  T *const weights = t.weights, *const scores = t.scores;
  for (; tiles > 0; --tiles, key += kKeys) {
    Vec<T> x[kKeys][kVecs];
    HEED_UNROLL
    for (int n = 0; n < kVecs; ++n) {
      HEED_UNROLL
      for (int r = 0; r < kKeys; ++r) x[r][n] = factors ? set(T{0}) : reload(delta + n * kN);
    }
    dot_tile<T, kKeys, kVecs>(t.Dv, t.values.at(key), t.values.row, t.grads + lane,
                              {t.values.at(key), t.values.row}, x);
    const std::int64_t start = key * kWidth + lane;
    const auto each = [&](const auto& body) HEED_INLINE_LAMBDA {
      HEED_UNROLL
      for (int n = 0; n < kVecs; ++n) {
        HEED_UNROLL
        for (int r = 0; r < kKeys; ++r) body(x[r][n], start + r * kWidth + n * kN, delta + n * kN);
      }
    };
    if (factors) {
      each([&](Vec<T>& score, std::int64_t at, const T* d) HEED_INLINE_LAMBDA {
        const Vec<T> p = load(weights + at), factor = load(factors + at);
        score = fma(score, factor, load(d));
        store(weights + at, p * factor);
        score = score * p;
        if (masked) score = xsimd::select(p == set(T{0}), set(T{0}), score);
        store(scores + at, score);
      });
    } else if (masked) {
      each([&](const Vec<T>& score, std::int64_t at, const T*) HEED_INLINE_LAMBDA {
        const Vec<T> p = load(weights + at);
        store(scores + at, xsimd::select(p == set(T{0}), set(T{0}), score * p));
      });
    } else {
      each([&](const Vec<T>& score, std::int64_t at, const T*)
               HEED_INLINE_LAMBDA { store(scores + at, score * load(weights + at)); });
    }
  }
}

template <class T>
void weight_gradients(const WeightGradientTask<T>& t) {
  for (int key = 0; key < t.keys;) {
    const TileRun run = next_tiles<T>(t.keys - key);
    with_tile_keys<T>(run.size, [&]<int kKeys>() {
      by_tile_width<T>(t.vectors, [&]<int kVecs>(int first) {
        weight_gradient_tiles<T, kKeys, kVecs>(t, key, first * kLanes<T>, run.count);
      });
    });
    key += run.size * run.count;
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
