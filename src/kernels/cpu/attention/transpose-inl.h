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
    // The first two rounds are done by loading quarters of rows to where they belong.
    HEED_UNROLL
    for (int c = 0; c < 16; c += 4) {
      __m512 quad[4];
      HEED_UNROLL
      for (int i = 0; i < 4; ++i) {
        const float* p = x + i * stride + c;
        __m512 q = _mm512_castps128_ps512(_mm_loadu_ps(p));
        q = _mm512_insertf32x4(q, _mm_loadu_ps(p + 4 * stride), 1);
        q = _mm512_insertf32x4(q, _mm_loadu_ps(p + 8 * stride), 2);
        quad[i] = _mm512_insertf32x4(q, _mm_loadu_ps(p + 12 * stride), 3);
      }
      const __m512 low01 = _mm512_unpacklo_ps(quad[0], quad[1]),
                   high01 = _mm512_unpackhi_ps(quad[0], quad[1]);
      const __m512 low23 = _mm512_unpacklo_ps(quad[2], quad[3]),
                   high23 = _mm512_unpackhi_ps(quad[2], quad[3]);
      rows[c] = _mm512_shuffle_ps(low01, low23, 0x44);
      rows[c + 1] = _mm512_shuffle_ps(low01, low23, 0xEE);
      rows[c + 2] = _mm512_shuffle_ps(high01, high23, 0x44);
      rows[c + 3] = _mm512_shuffle_ps(high01, high23, 0xEE);
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
