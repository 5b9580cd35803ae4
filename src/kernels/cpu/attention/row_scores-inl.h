// Scores of few query rows with a run of keys, row by row: what the kernel for few rows needs of a score.
#pragma once

#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"
#include "kernels/cpu/attention/score_gaussian-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Keys that few rows are scored with at a time; scores of a row are so far from those of the next.
inline constexpr int kRunKeys = 128;

/// Memory sets the pace of few rows and must never wait: rows are fetched well before they are needed.
template <class T>
void fetch_row(const T* row, std::int64_t columns) {
  for (std::int64_t c = 0; c < columns; c += 64 / static_cast<int>(sizeof(T)))
    __builtin_prefetch(row + c, 0, 2);
}

/// Dot products, features along the lanes.
template <class T>
class DotRows {
 public:
  DotRows(const AttendProblem& p, Arena& arena)
      : D_(p.D),
        scale_(static_cast<T>(p.scale * 1.4426950408889634)),
        queries_(arena.take<T>(kFewRows * features())) {}

  /// Whole vectors, scaled so that a score is an exponent of 2.
  void load_query(int r, const T* row, std::int64_t column) {
    for (std::int64_t d = 0; d < features(); ++d) {
      queries_[r * features() + d] = d < D_ ? row[d * column] * scale_ : T{0};
    }
  }

  /// scores (rows, kRunKeys) of `keys` keys. Meanwhile their values come.
  void score(const Rows<T>& k, const Rows<T>& v, int keys, int rows, T* scores) {
    constexpr int kTogether = 4;
    for (int j = 0; j < keys; j += kTogether) {
      const int count = keys - j < kTogether ? keys - j : kTogether;
      const FetchedRows<T> values{v.at(j), v.row};
      int r = 0;
      for (; count == kTogether && r + 4 <= rows; r += 4) tile<kTogether, 4>(k, j, r, values, scores);
      for (; count == kTogether && r < rows; ++r) tile<kTogether, 1>(k, j, r, values, scores);
      for (; r < rows; ++r) {
        for (int n = j; n < keys; ++n) tile<1, 1>(k, n, r, values, scores);
      }
    }
  }

 private:
  static constexpr int kN = kLanes<T>;
  std::int64_t features() const { return (D_ + kN - 1) / kN * kN; }

  /// Fetches a line of values for every line of keys it reads: evenly, which is how memory takes most.
  template <int kCount, int kRows>
  HEED_INLINE void tile(const Rows<T>& k, int j, int r, const FetchedRows<T>& values, T* scores) {
    // Row by row, in whole vectors of sums.
    constexpr int kSums = (kCount * kRows + kN - 1) / kN;
    Vec<T> sum[kSums][kN];
    HEED_UNROLL
    for (int n = 0; n < kSums * kN; ++n) sum[n / kN][n % kN] = set(T{0});
    const auto at = [&](int n, int m) HEED_INLINE_LAMBDA -> Vec<T>& {
      return sum[(m * kCount + n) / kN][(m * kCount + n) % kN];
    };
    const T* q = queries_ + r * features();
    const auto step = [&](std::int64_t d, const auto& key) HEED_INLINE_LAMBDA {
      Vec<T> x[kRows];
      HEED_UNROLL
      for (int m = 0; m < kRows; ++m) x[m] = load(q + m * features() + d);
      HEED_UNROLL
      for (int n = 0; n < kCount; ++n) {
        if (r == 0) __builtin_prefetch(values.data + n * values.stride + d, 0, 2);
        const Vec<T> y = key(k.at(j + n) + d);
        HEED_UNROLL
        for (int m = 0; m < kRows; ++m) at(n, m) = fma(y, x[m], at(n, m));
      }
    };
    std::int64_t d = 0;
    for (; d + kN <= D_; d += kN) step(d, [](const T* p) HEED_INLINE_LAMBDA { return load(p); });
    const int left = static_cast<int>(D_ - d);
    if (left > 0) step(d, [left](const T* p) HEED_INLINE_LAMBDA { return load_first(p, left); });
    T sums[kSums * kN];
    HEED_UNROLL
    for (int s = 0; s < kSums; ++s) store(sums + s * kN, lane_sums<T>(sum[s]));
    HEED_UNROLL
    for (int m = 0; m < kRows; ++m) {
      HEED_UNROLL
      for (int n = 0; n < kCount; ++n) scores[(r + m) * kRunKeys + j + n] = sums[m * kCount + n];
    }
  }

  std::int64_t D_;
  T scale_;
  T* queries_;
};

/// Gaussian scores, keys along the lanes: the score's own tile with the parts of queries and keys exchanged, which it does
/// not notice.
template <class T>
class GaussianRows {
 public:
  GaussianRows(const AttendProblem& p, Arena& arena)
      : D_(p.D),
        score_(p, nullptr, arena),
        queries_(arena.take<T>(kFewRows * p.D)),
        packed_keys_(arena.take<T>(p.D * kWidth)) {}

  void load_query(int r, const T* row, std::int64_t column) {
    for (std::int64_t d = 0; d < D_; ++d) queries_[r * D_ + d] = row[d * column];
  }
  const T* query(int r) const { return queries_ + r * D_; }

  void score(const Rows<T>& k, const Rows<T>&, int keys, int rows, T* scores) {
    for (int j = 0; j < keys; j += kWidth) {
      const int count = keys - j < kWidth ? keys - j : kWidth;
      pack_keys({k.at(j), k.row, k.column}, count);
      for (int r = 0; r < rows; ++r) score_packed(r, count, scores + r * kRunKeys + j);
    }
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
  static_assert(kRunKeys % kWidth == 0);

  std::int64_t D_;
  GaussianScore<T> score_;
  T *queries_, *packed_keys_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
