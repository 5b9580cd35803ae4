// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Lanes of several vectors exchanged: sums across lanes, and columns of a matrix as vectors.
#pragma once

#include "kernels/cpu/attention/simd-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Interleaves the low (high) halves of a and b: a0 b0 a1 b1 ...
template <class T>
HEED_INLINE Vec<T> interleave_low(Vec<T> a, Vec<T> b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    const __m512i index = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    return _mm512_permutex2var_ps(a, index, b);
  } else {
    return _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
  } else {
    return _mm256_permute2f128_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b), 0x20);
  }
#else
  return xsimd::zip_lo(a, b);
#endif
}
template <class T>
HEED_INLINE Vec<T> interleave_high(Vec<T> a, Vec<T> b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    const __m512i index = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    return _mm512_permutex2var_ps(a, index, b);
  } else {
    return _mm512_permutex2var_pd(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
  } else {
    return _mm256_permute2f128_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b), 0x31);
  }
#else
  return xsimd::zip_hi(a, b);
#endif
}

/// Lane i of the result is the sum of the lanes of x[i]: as many vectors as lanes in about three instructions each, where one
/// by one they take a dozen.
template <class T>
HEED_INLINE Vec<T> lane_sums(Vec<T> (&x)[kLanes<T>]) {
  HEED_UNROLL
  for (int half = kLanes<T> / 2; half > 0; half /= 2) {
    HEED_UNROLL
    for (int i = 0; i < half; ++i)
      x[i] = interleave_low(x[i], x[i + half]) + interleave_high(x[i], x[i + half]);
  }
  return x[0];
}

/// rows[i] = column i of the lanes x lanes matrix at x, its rows `stride` apart: log2(lanes) rounds of interleaving.
template <class T>
HEED_INLINE void load_columns(const T* x, std::int64_t stride, Vec<T> (&rows)[kLanes<T>]) {
  constexpr int kN = kLanes<T>;
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    // The first round is done by loading halves of rows to where they belong.
    HEED_UNROLL
    for (int c = 0; c < 16; c += 8) {
      __m512 half[2][4];
      HEED_UNROLL
      for (int g = 0; g < 2; ++g) {
        __m512 pair[4];
        HEED_UNROLL
        for (int i = 0; i < 4; ++i) {
          const float* p = x + (8 * g + i) * stride + c;
          pair[i] = _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)),
                                       _mm256_loadu_ps(p + 4 * stride), 1);
        }
        const __m512 low01 = _mm512_unpacklo_ps(pair[0], pair[1]),
                     high01 = _mm512_unpackhi_ps(pair[0], pair[1]);
        const __m512 low23 = _mm512_unpacklo_ps(pair[2], pair[3]),
                     high23 = _mm512_unpackhi_ps(pair[2], pair[3]);
        half[g][0] = _mm512_shuffle_ps(low01, low23, 0x44);
        half[g][1] = _mm512_shuffle_ps(low01, low23, 0xEE);
        half[g][2] = _mm512_shuffle_ps(high01, high23, 0x44);
        half[g][3] = _mm512_shuffle_ps(high01, high23, 0xEE);
      }
      HEED_UNROLL
      for (int i = 0; i < 4; ++i) {
        rows[c + i] = _mm512_shuffle_f32x4(half[0][i], half[1][i], 0x88);
        rows[c + 4 + i] = _mm512_shuffle_f32x4(half[0][i], half[1][i], 0xDD);
      }
    }
    return;
  }
#endif
  HEED_UNROLL
  for (int i = 0; i < kN; ++i) rows[i] = load(x + i * stride);
  Vec<T> other[kN];
  HEED_UNROLL
  for (int round = 1; round < kN; round *= 2) {
    HEED_UNROLL
    for (int i = 0; i < kN / 2; ++i) {
      other[2 * i] = interleave_low(rows[i], rows[i + kN / 2]);
      other[2 * i + 1] = interleave_high(rows[i], rows[i + kN / 2]);
    }
    HEED_UNROLL
    for (int i = 0; i < kN; ++i) rows[i] = other[i];
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
