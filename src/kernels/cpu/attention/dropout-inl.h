// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Dropout on weights: Philox 4x32-10, a block of which serves 8 keys of a query, with one query per lane or, for few rows, 8
// keys per lane.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/layout-inl.h"

#include <algorithm>

namespace heed::kernels::cpu::HEED_TIER {

/// Which block of the generator.
struct PhiloxBlock {
  std::uint32_t key_group, query, head, batch;
};

/// Philox words of kSets times 16 blocks side by side: a round waits for the one before, so several sets take little longer
/// than one.
template <int kSets>
struct PhiloxLanes {
  static constexpr int kLanes = 16;
  alignas(64) std::uint32_t word[kSets][4][kLanes];

  /// Words of lane i of set s: of block counter(s step + i) under `seed`.
  template <class Counter>
  void compute(std::uint64_t seed, std::uint32_t step, const Counter& counter) {
    auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
    for (std::uint32_t s = 0; s < kSets; ++s) {
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const PhiloxBlock block = counter(s * step + i);
        word[s][0][i] = block.key_group;
        word[s][1][i] = block.query;
        word[s][2][i] = block.head;
        word[s][3][i] = block.batch;
      }
    }
#if defined(__AVX512F__)
    __m512i c[kSets][4];
    HEED_UNROLL
    for (int n = 0; n < 4 * kSets; ++n) c[n / 4][n % 4] = _mm512_load_si512(word[n / 4][n % 4]);
    for (int round = 0; round < 10; ++round) {
      HEED_UNROLL
      for (int s = 0; s < kSets; ++s) {
        __m512i low0, high0, low1, high1;
        multiply(c[s][0], kMultiplier0, low0, high0);
        multiply(c[s][2], kMultiplier1, low1, high1);
        // 0x96: the exclusive or of all three.
        c[s][0] = _mm512_ternarylogic_epi32(high1, c[s][1], _mm512_set1_epi32(static_cast<int>(key0)), 0x96);
        c[s][1] = low1;
        c[s][2] = _mm512_ternarylogic_epi32(high0, c[s][3], _mm512_set1_epi32(static_cast<int>(key1)), 0x96);
        c[s][3] = low0;
      }
      key0 += kStep0;
      key1 += kStep1;
    }
    HEED_UNROLL
    for (int n = 0; n < 4 * kSets; ++n) _mm512_store_si512(word[n / 4][n % 4], c[n / 4][n % 4]);
#else
    for (int round = 0; round < 10; ++round) {
      for (int s = 0; s < kSets; ++s) {
        for (int i = 0; i < kLanes; ++i) {
          const std::uint64_t p0 = std::uint64_t{kMultiplier0} * word[s][0][i];
          const std::uint64_t p1 = std::uint64_t{kMultiplier1} * word[s][2][i];
          word[s][0][i] = static_cast<std::uint32_t>(p1 >> 32) ^ word[s][1][i] ^ key0;
          word[s][1][i] = static_cast<std::uint32_t>(p1);
          word[s][2][i] = static_cast<std::uint32_t>(p0 >> 32) ^ word[s][3][i] ^ key1;
          word[s][3][i] = static_cast<std::uint32_t>(p0);
        }
      }
      key0 += kStep0;
      key1 += kStep1;
    }
#endif
  }

 private:
  static constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  static constexpr std::uint32_t kStep0 = 0x9E3779B9, kStep1 = 0xBB67AE85;

#if defined(__AVX512F__)
  /// Low and high halves of 16 products of 32 bits.
  static HEED_INLINE void multiply(__m512i a, std::uint32_t factor, __m512i& low, __m512i& high) {
    // Shuffles rather than shifts: those wait for the port that multiplies.
    const __m512i m = _mm512_set1_epi32(static_cast<int>(factor));
    const __m512i odd_lanes = _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(a)));
    const __m512i even = _mm512_mul_epu32(a, m), odd = _mm512_mul_epu32(odd_lanes, m);
    const __m512i lows = _mm512_setr_epi32(0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
    const __m512i highs = _mm512_setr_epi32(1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
    low = _mm512_permutex2var_epi32(even, lows, odd);
    high = _mm512_permutex2var_epi32(even, highs, odd);
  }
#endif
};

/// out[i] = 0 or scale, by 16 bits of each word.
template <class T>
HEED_INLINE void keep_or_drop(const std::uint32_t* words, int shift, std::uint32_t threshold, T scale,
                              T* out) {
  for (int i = 0; i < kLanes<T>; ++i) out[i] = (words[i] >> shift & 0xFFFF) >= threshold ? scale : T{0};
}

/// Where a block stands in the problem.
struct BlockPlace {
  std::int64_t b, h, query, key;  ///< of the first lane and the first key; key is a multiple of 8
};

inline PhiloxBlock philox_block(const BlockPlace& place) {
  const auto word = [](std::int64_t x) { return static_cast<std::uint32_t>(x); };
  return {word(place.key / 8), word(place.query), word(place.h), word(place.b)};
}

template <class T>
T kept_scale(const AttentionDropout& dropout) {
  return static_cast<T>(65536.0 / (65536.0 - dropout.threshold));
}

/// factors (count) for keys of one query, count at most 128; up to a multiple of 8 there may be more of them.
template <class T>
void row_dropout(const AttentionDropout& dropout, const BlockPlace& place, int count, T* factors) {
  if (dropout.threshold >= 65536) return void(std::fill_n(factors, count, T{0}));
  PhiloxLanes<1> random;
  random.compute(dropout.seed, 0, [&](std::uint32_t lane) {
    return philox_block({place.b, place.h, place.query, place.key + 8 * std::int64_t{lane}});
  });
  const T scale = kept_scale<T>(dropout);
  for (int j = 0; j < (count + 7) / 8 * 8; ++j) {
    const std::uint32_t bits = random.word[0][j % 8 / 2][j / 8] >> (j % 2 * 16) & 0xFFFF;
    factors[j] = bits >= dropout.threshold ? scale : T{0};
  }
}

/// factors (count, kQueries) for a block; count keys, `vectors` vectors of queries.
template <class T>
void block_dropout(const AttentionDropout& dropout, const BlockPlace& place, int count, int vectors,
                   T* factors) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  static_assert(kN <= PhiloxLanes<1>::kLanes);
  if (dropout.threshold >= 65536) {
    for (int i = 0; i < count * kWidth; ++i) factors[i] = 0;
    return;
  }
  const T scale = kept_scale<T>(dropout);
  for (int key = 0; key < count; key += 8) {
    by_tile_width<T>(vectors, [&]<int kSets>(int first) {
      PhiloxLanes<kSets> random;
      random.compute(dropout.seed, kN, [&](std::uint32_t lane) {
        return philox_block({place.b, place.h, place.query + first * kN + lane, place.key + key});
      });
      for (int s = 0; s < kSets; ++s) {
        for (int n = 0; n < 8; ++n) {
          keep_or_drop(random.word[s][n / 2], n % 2 * 16, dropout.threshold, scale,
                       factors + (key + n) * kWidth + (first + s) * kN);
        }
      }
    });
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
