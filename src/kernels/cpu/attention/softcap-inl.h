// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scores x become cap tanh(x / cap). Most are far below the cap, where a short polynomial has it to the last digits; others go by
// 2^x, element by element, so that none depends on its neighbours.
#pragma once

#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/tile_task-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// |u| up to which tanh is the polynomial.
template <class T>
inline constexpr T kSmallTanh = static_cast<T>(0.25);

/// tanh(u) for small u: its Taylor series, f64 up to u^23, f32 up to u^9.
template <class T>
HEED_INLINE Vec<T> tanh_small(Vec<T> u) {
  constexpr double kC[] = {-3.927832388331683e-05, 9.691537956929451e-05,  -0.00023912911424355248,
                           0.000590027440945586,   -0.0014558343870513183, 0.003592128036572481,
                           -0.008863235529902197,  0.021869488536155203,   -0.05396825396825397,
                           0.13333333333333333,    -0.3333333333333333};
  constexpr int kEnd = 11, kFirst = sizeof(T) == 4 ? kEnd - 4 : 0;
  const Vec<T> square = u * u;
  Vec<T> p = set(static_cast<T>(kC[kFirst]));
  HEED_UNROLL
  for (int i = kFirst + 1; i < kEnd; ++i) p = fma(p, square, set(static_cast<T>(kC[i])));
  return fma(u * square, p, u);
}

/// tanh(u) = d / (d + 2) with d = e^2u - 1: 1 long before d would overflow; in this order NaN stays.
template <class T>
HEED_INLINE Vec<T> tanh_large(Vec<T> u) {
  const Vec<T> twice = u * set(static_cast<T>(2 * 1.4426950408889634));
  const Vec<T> d = exp2_less_one(xsimd::max(set(T{-64}), xsimd::min(set(T{64}), twice)));
  return d * reciprocal(d + set(T{2}));
}

/// slope: where the derivative goes; none: not wanted.
template <class T>
HEED_INLINE Vec<T> capped(Vec<T> x, T cap, T* slope) {
  const Vec<T> u = x * set(1 / cap);
  const auto small = xsimd::abs(u) <= set(kSmallTanh<T>);
  Vec<T> t = tanh_small(u);
  if (!xsimd::all(small)) t = xsimd::select(small, t, tanh_large(u));
  if (slope) store(slope, fnma(t, t, set(T{1})));
  return t * set(cap);
}

template <class T, int kKeys, int kVecs>
HEED_INLINE void cap_tile(const TileTask<T>& t, Vec<T> (&x)[kKeys][kVecs]) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  const T cap = t.mask.softcap, inverse = 1 / cap;
  T* const slopes = t.mask.slope;
  const auto each = [&](const auto& body) HEED_INLINE_LAMBDA {
    HEED_UNROLL
    for (int r = 0; r < kKeys; ++r) {
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) body(x[r][v], r * kWidth + v * kN);
    }
  };
  auto small = Mask<T>(true);
  each([&](const Vec<T>& score, std::int64_t)
           HEED_INLINE_LAMBDA { small = small & (xsimd::abs(score * set(inverse)) <= set(kSmallTanh<T>)); });
  if (xsimd::all(small)) {
    each([&](Vec<T>& score, std::int64_t at) HEED_INLINE_LAMBDA {
      const Vec<T> tanh = tanh_small(score * set(inverse));
      if (slopes) store(slopes + at, fnma(tanh, tanh, set(T{1})));
      score = tanh * set(cap);
    });
    return;
  }
  // Through memory, in a loop: to write all of it out for every vector of a tile would be much code.
  T scores[kKeys * kVecs * kN];
  int n = 0;
  each([&](const Vec<T>& score, std::int64_t) HEED_INLINE_LAMBDA { store(scores + n++ * kN, score); });
  for (int i = 0; i < kKeys * kVecs; ++i) {
    T* slope = slopes ? slopes + i / kVecs * kWidth + i % kVecs * kN : nullptr;
    store(scores + i * kN, capped(load(scores + i * kN), cap, slope));
  }
  n = 0;
  each([&](Vec<T>& score, std::int64_t) HEED_INLINE_LAMBDA { score = load(scores + n++ * kN); });
}

}  // namespace heed::kernels::cpu::HEED_TIER
