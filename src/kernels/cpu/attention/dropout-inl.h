// Dropout on a block of weights: Philox 4x32-10 with one query per lane; a block of the generator serves 8 keys.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/layout-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Factors for 8 keys of `lanes` consecutive queries: out[key][lane] = 0 or scale.
template <class T>
void dropout_factors(const AttentionDropout& dropout, std::uint32_t key_group, std::uint32_t query,
                     std::uint32_t head, std::uint32_t batch, T* out, std::int64_t stride) {
  constexpr int kN = kLanes<T>;
  constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  std::uint32_t c0[kN], c1[kN], c2[kN], c3[kN];
  for (int i = 0; i < kN; ++i) {
    c0[i] = key_group;
    c1[i] = query + static_cast<std::uint32_t>(i);
    c2[i] = head;
    c3[i] = batch;
  }
  auto key0 = static_cast<std::uint32_t>(dropout.seed), key1 = static_cast<std::uint32_t>(dropout.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < kN; ++i) {
      const std::uint64_t p0 = std::uint64_t{kMultiplier0} * c0[i], p1 = std::uint64_t{kMultiplier1} * c2[i];
      c0[i] = static_cast<std::uint32_t>(p1 >> 32) ^ c1[i] ^ key0;
      c1[i] = static_cast<std::uint32_t>(p1);
      c2[i] = static_cast<std::uint32_t>(p0 >> 32) ^ c3[i] ^ key1;
      c3[i] = static_cast<std::uint32_t>(p0);
    }
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  const T scale = static_cast<T>(65536.0 / (65536.0 - dropout.threshold));
  const std::uint32_t* words[] = {c0, c1, c2, c3};
  for (int word = 0; word < 4; ++word) {
    for (int i = 0; i < kN; ++i) {
      const std::uint32_t bits = words[word][i];
      out[(2 * word) * stride + i] = (bits & 0xFFFF) >= dropout.threshold ? scale : T{0};
      out[(2 * word + 1) * stride + i] = (bits >> 16) >= dropout.threshold ? scale : T{0};
    }
  }
}

/// Where a block stands in the problem.
struct BlockPlace {
  std::int64_t b, h, query, key;  ///< of the first lane and the first key; key is a multiple of 8
};

/// factors (count, kQueries) for a block; count keys, `vectors` vectors of queries.
template <class T>
void block_dropout(const AttentionDropout& dropout, const BlockPlace& place, int count, int vectors,
                   T* factors) {
  constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  if (dropout.threshold >= 65536) {
    for (int i = 0; i < count * kWidth; ++i) factors[i] = 0;
    return;
  }
  const auto word = [](std::int64_t x) { return static_cast<std::uint32_t>(x); };
  for (int key = 0; key < count; key += 8) {
    for (int v = 0; v < vectors; ++v) {
      dropout_factors(dropout, word((place.key + key) / 8), word(place.query + v * kN), word(place.h),
                      word(place.b), factors + key * kWidth + v * kN, kWidth);
    }
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
