// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scores of few query rows with a run of keys, row by row: what the kernel for few rows needs of a score.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/key_run-inl.h"
#include "kernels/cpu/attention/score_gaussian-inl.h"
#include "kernels/cpu/attention/transpose-inl.h"

#include <algorithm>

namespace heed::kernels::cpu::HEED_TIER {

/// Memory sets the pace of few rows. It is quickest when lines are read in order, few at a time from each tensor, and asked
/// for so many rows before they are needed.
template <class T>
std::int64_t rows_ahead(std::int64_t columns) {
  constexpr std::int64_t kBytes = 8192;
  return kBytes / static_cast<std::int64_t>(sizeof(T)) / std::max<std::int64_t>(columns, 1) + 1;
}

/// Dot products, features along the lanes.
template <class T>
class DotRows {
 public:
  static constexpr int kStep = 4;  ///< keys that are scored at a time

  /// Scores are exponents of 2.
  DotRows(const AttendProblem& p, Arena& arena)
      : DotRows(p.D, static_cast<T>(p.scale * 1.4426950408889634), arena) {}
  DotRows(std::int64_t D, T scale, Arena& arena)
      : D_(D), ahead_(rows_ahead<T>(D)), scale_(scale), queries_(arena.take<T>(kFewRows * features())) {}

  /// Whole vectors, scaled.
  void load_query(int r, const T* row, std::int64_t column) {
    for (std::int64_t d = 0; d < features(); ++d) {
      queries_[r * features() + d] = d < D_ ? row[d * column] * scale_ : T{0};
    }
  }

  /// scores (rows, kRunKeys) of keys [j, j + count), count <= kStep.
  void score(const Rows<T>& k, int j, int count, int rows, T* scores) const {
    int r = 0;
    for (; count == kStep && r + 4 <= rows; r += 4) tile<kStep, 4>(k, j, r, scores);
    for (; count == kStep && r < rows; ++r) tile<kStep, 1>(k, j, r, scores);
    for (; r < rows; ++r) {
      for (int n = j; n < j + count; ++n) tile<1, 1>(k, n, r, scores);
    }
  }

 private:
  static constexpr int kN = kLanes<T>;
  std::int64_t features() const { return (D_ + kN - 1) / kN * kN; }

  /// Key by key, whose lines are read in order and with each of them one of a key further on.
  template <int kCount, int kRows>
  HEED_INLINE void tile(const Rows<T>& k, int j, int r, T* scores) const {
    // Row by row, in whole vectors of sums.
    constexpr int kSums = (kCount * kRows + kN - 1) / kN;
    Vec<T> sum[kSums][kN];
    HEED_UNROLL
    for (int n = 0; n < kSums * kN; ++n) sum[n / kN][n % kN] = set(T{0});
    const T* q = queries_ + r * features();
    HEED_UNROLL
    for (int n = 0; n < kCount; ++n) {
      const T *row = k.at(j + n), *fetched = r == 0 ? k.at(j + n + ahead_) : row;
      Vec<T> total[kRows];
      HEED_UNROLL
      for (int m = 0; m < kRows; ++m) total[m] = set(T{0});
      const auto step = [&](std::int64_t d, Vec<T> x) HEED_INLINE_LAMBDA {
        HEED_UNROLL
        for (int m = 0; m < kRows; ++m) total[m] = fma(x, load(q + m * features() + d), total[m]);
      };
      std::int64_t d = 0;
      for (; d + kN <= D_; d += kN) {
        __builtin_prefetch(fetched + d, 0, 2);
        step(d, load(row + d));
      }
      if (d < D_) step(d, load_first(row + d, static_cast<int>(D_ - d)));
      HEED_UNROLL
      for (int m = 0; m < kRows; ++m) sum[(m * kCount + n) / kN][(m * kCount + n) % kN] = total[m];
    }
    T sums[kSums * kN];
    HEED_UNROLL
    for (int s = 0; s < kSums; ++s) store(sums + s * kN, lane_sums<T>(sum[s]));
    HEED_UNROLL
    for (int m = 0; m < kRows; ++m) {
      HEED_UNROLL
      for (int n = 0; n < kCount; ++n) scores[(r + m) * kRunKeys + j + n] = sums[m * kCount + n];
    }
  }

  std::int64_t D_, ahead_;
  T scale_;
  T* queries_;  ///< (kFewRows, features)
};

/// Gaussian scores, keys along the lanes: the score's own tile with the parts of queries and keys exchanged, which it does
/// not notice.
template <class T>
class GaussianRows {
 public:
  static constexpr int kStep = Layout<T>::kQueries;

  GaussianRows(const AttendProblem& p, Arena& arena)
      : D_(p.D),
        score_(p, nullptr, arena),
        queries_(arena.take<T>(kFewRows * p.D)),
        packed_keys_(arena.take<T>(p.D * kWidth)) {}

  void load_query(int r, const T* row, std::int64_t column) {
    for (std::int64_t d = 0; d < D_; ++d) queries_[r * D_ + d] = row[d * column];
  }
  const T* query(int r) const { return queries_ + r * D_; }

  void score(const Rows<T>& k, int j, int count, int rows, T* scores) {
    pack_keys({k.at(j), k.row, k.column}, count);
    for (int r = 0; r < rows; ++r) score_packed(r, count, scores + r * kRunKeys + j);
  }

  /// Up to kQueries keys, and their scores with row r.
  void pack_keys(const Rows<T>& k, int count) { pack<T>(k, count, D_, T{1}, packed_keys_); }
  void score_packed(int r, int count, T* scores) const {
    by_tile_width<T>((count + kN - 1) / kN, [&]<int kVecs>(int first) {
      Vec<T> sum[1][kVecs];
      score_.template tile<1, kVecs>(query(r), D_, packed_keys_ + first * kN, {}, sum);
      HEED_UNROLL
      for (int v = 0; v < kVecs; ++v) store(scores + (first + v) * kN, sum[0][v]);
    });
  }
  const T* packed_keys() const { return packed_keys_; }  ///< (D, kQueries)
  const T* natural() const { return score_.natural(); }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  static_assert(kRunKeys % kStep == 0);

  std::int64_t D_;
  GaussianScore<T> score_;
  T *queries_, *packed_keys_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
