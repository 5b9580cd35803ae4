// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Pooling for few query rows: keys one after another, as they come from memory.
#pragma once

#include "kernels/cpu/attention/key_run-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <int kRows, int kVecs, class Body>
HEED_INLINE void each_sum(const Body& body) {
  HEED_UNROLL
  for (int m = 0; m < kRows; ++m) {
    HEED_UNROLL
    for (int x = 0; x < kVecs; ++x) body(m, x);
  }
}

/// out (kRows, columns) += weights (kRows, kRunKeys) times values, keys [from, to) of them one by one, in bands of features that
/// fit the registers.
template <class T, int kRows>
void pool_run(const T* weights, const Rows<T>& values, std::int64_t from, std::int64_t to,
              std::int64_t columns, T* out) {
  constexpr int kN = kLanes<T>;
  std::int64_t c = 0;
  const auto band = [&]<int kVecs>() HEED_INLINE_LAMBDA {
    for (; c + kVecs * kN <= columns; c += kVecs * kN) {
      Vec<T> sum[kRows][kVecs];
      each_sum<kRows, kVecs>([&](int m, int x)
                                 HEED_INLINE_LAMBDA { sum[m][x] = load(out + m * columns + c + x * kN); });
      for (std::int64_t j = from; j < to; ++j) {
        const T* row = values.at(j) + c;
        HEED_UNROLL
        for (int x = 0; x < kVecs; ++x) {
          const Vec<T> value = load(row + x * kN);
          HEED_UNROLL
          for (int m = 0; m < kRows; ++m) sum[m][x] = fma(set(weights[m * kRunKeys + j]), value, sum[m][x]);
        }
      }
      each_sum<kRows, kVecs>([&](int m, int x)
                                 HEED_INLINE_LAMBDA { store(out + m * columns + c + x * kN, sum[m][x]); });
    }
  };
  // Sums of all rows, their weights and a value fit the registers.
  constexpr int kBand = (kRegisters == 32 ? 8 : 4) / (kRows > 2 ? 2 : 1);
  band.template operator()<kBand>();
  band.template operator()<kBand / 2>();
  band.template operator()<1>();
  const int left = static_cast<int>(columns - c);
  for (int m = 0; left > 0 && m < kRows; ++m) {
    Vec<T> sum = load_first(out + m * columns + c, left);
    for (std::int64_t j = from; j < to; ++j) {
      sum = fma(set(weights[m * kRunKeys + j]), load_first(values.at(j) + c, left), sum);
    }
    store_first(out + m * columns + c, sum, left);
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
