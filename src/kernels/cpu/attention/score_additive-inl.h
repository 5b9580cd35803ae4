// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// sum_d w_d tanh(k_d + q_d), with exponentials per row instead of per pair: tanh(a + b) = 1 - 2 / (1 + A B) for
// A = e^2a, B = e^2b, so a term is a multiplication and a reciprocal, and four terms share one division.
//
// A term's weight is part of its denominator, w / (1 + A B) = 1 / (c + c A B) with c = 1 / w, unless four of them would leave
// the range; w is between -1 and 1 here, the largest weight being taken out of the sum.
//
// A product of four denominators must not overflow. 1 + A B is cut off at kDenominator: the term is then 1 - 2 / kDenominator,
// which is 1 in this precision. Where the ranges found say that none is that large the cut is left out, to the same bits. A
// row whose exponentials themselves would leave the range is "wide": its pairs are summed directly. That is a property of
// the row or the key alone, so a row's bits do not depend on its neighbours.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/pack-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct AdditiveLimits;
template <>
struct AdditiveLimits<float> {
  static constexpr float kExponent = 110;            ///< of 2, of A and of B
  static constexpr float kDenominator = 0x1p28F;     ///< its fourth power times kMostFolded is finite
  static constexpr float kDenominatorExponent = 27;  ///< A B of at most 2^this needs no cut
  static constexpr float kMostFolded = 0x1p14F;      ///< of the product of four c
};
template <>
struct AdditiveLimits<double> {
  static constexpr double kExponent = 1000;
  static constexpr double kDenominator = 0x1p250;
  static constexpr double kDenominatorExponent = 249;
  static constexpr double kMostFolded = 0x1p20;
};

/// tanh(x) = 1 - 2 / (1 + e^2x), right for every range.
template <class T>
HEED_INLINE Vec<T> tanh_direct(Vec<T> x) {
  constexpr T kTwice = static_cast<T>(2 * 1.4426950408889634);
  return set(T{1}) - set(T{2}) / (set(T{1}) + exp2(x * set(kTwice)));
}

/// e^2x of a row: `features` of them (a multiple of 4 and of the lanes), then a vector that says how far they reach.
/// A wide row, and what lies beyond D, is 1.
template <class T>
struct ExponentialRow {
  static std::int64_t size(std::int64_t features) { return features + kLanes<T>; }
  static T reach(const T* row, std::int64_t features) {
    return row[features];
  }  ///< exponent of 2; of a wide row 0
  static bool wide(const T* row, std::int64_t features) { return row[features + 1] != 0; }

  static void compute(const T* x, std::int64_t column, std::int64_t D, std::int64_t features, T* row) {
    constexpr int kN = kLanes<T>;
    const Vec<T> twice = set(static_cast<T>(2 * 1.4426950408889634));
    for (std::int64_t d = 0; column != 1 && d < D; ++d) row[d] = x[d * column];
    const T* from = column == 1 ? x : row;
    Vec<T> most = set(T{0}), not_finite = set(T{0});
    for (std::int64_t d = 0; d < features; d += kN) {
      const std::int64_t left = D - d;
      const Vec<T> given =
          left >= kN ? load(from + d) : load_first(from + d, left > 0 ? static_cast<int>(left) : 0);
      const Vec<T> exponent = given * twice;
      most = xsimd::max(most, xsimd::abs(exponent));
      not_finite = fma(exponent, set(T{0}), not_finite);
      store(row + d, exp2(exponent));
    }
    const T reach = largest_lane<T>(most);
    const bool wide = !(reach <= AdditiveLimits<T>::kExponent) || xsimd::hadd(not_finite) != 0;
    if (wide) std::fill_n(row, features, T{1});
    row[features] = wide ? T{0} : reach;
    row[features + 1] = wide ? T{1} : T{0};
  }
};

template <class T>
class AdditiveScore {
 public:
  AdditiveScore(const AttendProblem& p, const void* prepared, Arena& arena)
      : D_(p.D),
        features_(features(p)),
        natural_(static_cast<const T*>(p.score_weights)),
        prepared_(static_cast<const T*>(prepared)),
        weights_(arena.take<T>(features_)),
        folded_(arena.take<T>(features_)),
        query_rows_(arena.take<T>(kWidth * row())),
        direct_queries_(arena.take<T>(p.D * kWidth)),
        wide_queries_(arena.take<T>(kWidth)) {
    if (weights_) set_weights();
  }

  /// Rounded up so that four terms, and a vector of them, are always there; those beyond D have weight 0.
  static std::int64_t features(const AttendProblem& p) {
    constexpr std::int64_t kStep = kLanes<T> < 4 ? 4 : kLanes<T>;
    return (p.D + kStep - 1) / kStep * kStep;
  }

  static constexpr bool kFromReference = false;
  static std::int64_t prepared_row(const AttendProblem& p) { return ExponentialRow<T>::size(features(p)); }
  static void prepare_key(const AttendProblem& p, const T* key, std::int64_t column, T* out) {
    ExponentialRow<T>::compute(key, column, p.D, features(p), out);
  }

  void pack_queries(const Rows<T>& q, int count, T* packed) {
    packed_queries_ = packed;
    query_reach_ = 0;
    wide_query_ = false;
    for (int i = 0; i < count; ++i) {
      T* out = query_rows_ + i * row();
      ExponentialRow<T>::compute(q.at(i), q.column, D_, features_, out);
      note(out, query_reach_, wide_query_);
      wide_queries_[i] = ExponentialRow<T>::wide(out, features_) ? T{1} : T{0};
    }
    std::fill(wide_queries_ + count, wide_queries_ + kWidth, T{0});
    pack<T>({query_rows_, row(), 1}, count, features_, T{1}, packed);
    for (std::int64_t d = 0; d < features_; ++d) {
      if (folded_[d] == 0) continue;
      for (int i = 0; i < count; i += kN)
        store(packed + d * kWidth + i, load(packed + d * kWidth + i) * set(folded_[d]));
    }
    pack<T>(q, count, D_, T{1}, direct_queries_);
  }

  /// `first`: the index of the first of these keys among all that were prepared.
  Rows<T> pack_keys(const Rows<T>& k, std::int64_t first, int count, T*) {
    direct_keys_ = k;
    packed_keys_ = prepared_ + first * row();
    key_reach_ = 0;
    wide_key_ = false;
    for (int j = 0; j < count; ++j) note(packed_keys_ + j * row(), key_reach_, wide_key_);
    return {packed_keys_, row(), 1};
  }

  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries, const FetchedRows<T>&,
                        Vec<T> (&score)[kKeys][kVecs]) const {
    // All keys at once hide the latency of a division best, where there are registers for their sums.
    constexpr int kRows = kRegisters == 32 || kKeys < 6 ? kKeys : kKeys / 2;
    for (int v = 0; v < kVecs; ++v) {
      for (int r = 0; r < kKeys; r += kRows) {
        Vec<T> sum[kRows];
        const T *k = keys + r * stride, *q = queries + v * kLanes<T>;
        cut() ? terms<true, kRows>(k, stride, q, sum) : terms<false, kRows>(k, stride, q, sum);
        if (any_wide()) replace_wide(k, stride, q, kRows, sum);
        HEED_UNROLL
        for (int n = 0; n < kRows; ++n) score[r + n][v] = sum[n];
      }
    }
  }

  bool cut() const {
    return all_direct_ || query_reach_ + key_reach_ > AdditiveLimits<T>::kDenominatorExponent;
  }
  bool any_wide() const { return all_direct_ || wide_query_ || wide_key_; }
  bool is_wide(int key, int lane) const {
    return all_direct_ || wide_queries_[lane] != 0 ||
           ExponentialRow<T>::wide(packed_keys_ + key * row(), features_);
  }
  const T* natural() const { return natural_; }
  const T* direct_queries() const { return direct_queries_; }
  const T* query_exponentials(int i) const { return query_rows_ + i * row(); }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  static constexpr T kLog2E = static_cast<T>(1.4426950408889634);

  std::int64_t row() const { return ExponentialRow<T>::size(features_); }

  void note(const T* exponentials, T& reach, bool& wide) const {
    const T found = ExponentialRow<T>::reach(exponentials, features_);
    if (found > reach) reach = found;
    wide = wide || ExponentialRow<T>::wide(exponentials, features_);
  }

  /// Weights are divided by the largest, so that neither huge nor tiny ones leave the range on the way.
  void set_weights() {
    T most = 0, sum = 0;
    for (std::int64_t d = 0; d < D_; ++d) {
      const T size = natural_[d] < 0 ? -natural_[d] : natural_[d];
      if (!(size <= std::numeric_limits<T>::max())) all_direct_ = true;
      if (size > most) most = size;
      sum += natural_[d];
    }
    for (std::int64_t d = 0; d < features_; ++d) weights_[d] = d < D_ && most > 0 ? natural_[d] / most : T{0};
    if (all_direct_) std::fill_n(weights_, features_, T{0});
    for (std::int64_t d = 0; d < features_; d += 4) {
      T product = 1;
      for (std::int64_t g = d; g < d + 4; ++g) product *= 1 / weights_[g];
      const bool fits =
          product <= AdditiveLimits<T>::kMostFolded && product >= -AdditiveLimits<T>::kMostFolded;
      for (std::int64_t g = d; g < d + 4; ++g) folded_[g] = fits ? 1 / weights_[g] : T{0};
    }
    range_ = T{-2} * kLog2E * most;
    base_ = kLog2E * sum;
  }

  /// Scores of kRows keys and one vector of queries.
  template <bool kCut, int kRows>
  __attribute__((noinline)) void terms(const T* keys, std::int64_t stride, const T* queries,
                                       Vec<T> (&sum)[kRows]) const {
    Vec<T> total[kRows];
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) total[r] = set(T{0});
    for (std::int64_t d = 0; d < features_; d += 4) {
      folded_[d] != 0 ? four_terms<kCut, true>(keys + d, stride, queries, d, total)
                      : four_terms<kCut, false>(keys + d, stride, queries, d, total);
    }
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) sum[r] = fma(set(range_), total[r], set(base_));
  }

  /// Features d to d + 3; `keys` at feature d.
  template <bool kCut, bool kFolded, int kRows>
  HEED_INLINE void four_terms(const T* keys, std::int64_t stride, const T* queries, std::int64_t d,
                              Vec<T> (&total)[kRows]) const {
    // A B, or c A B, is added to 1, or to c; the cut grows with c.
    Vec<T> a[4], weight[4], base[4], most[4];
    HEED_UNROLL
    for (int g = 0; g < 4; ++g) {
      a[g] = load(queries + (d + g) * kWidth);
      weight[g] = set(kFolded ? folded_[d + g] : weights_[d + g]);
      base[g] = kFolded ? weight[g] : set(T{1});
      most[g] = xsimd::abs(base[g]) * set(AdditiveLimits<T>::kDenominator);
    }
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) {
      Vec<T> x[4];
      HEED_UNROLL
      for (int g = 0; g < 4; ++g) {
        x[g] = fma(a[g], set(keys[r * stride + g]), base[g]);
        // In this order NaN stays.
        if (kCut) x[g] = xsimd::min(most[g], x[g]);
        if (kCut && kFolded) x[g] = xsimd::max(set(T{0}) - most[g], x[g]);
      }
      const Vec<T> low = kFolded ? x[0] + x[1] : fma(weight[0], x[1], weight[1] * x[0]);
      const Vec<T> high = kFolded ? x[2] + x[3] : fma(weight[2], x[3], weight[3] * x[2]);
      const Vec<T> below_low = x[0] * x[1], below_high = x[2] * x[3];
      const Vec<T> above = fma(low, below_high, high * below_low);
      total[r] = add_quotient(above, below_low * below_high, total[r]);
    }
  }

  __attribute__((noinline)) void replace_wide(const T* keys, std::int64_t stride, const T* queries, int rows,
                                              Vec<T>* sum) const {
    const std::int64_t key = (keys - packed_keys_) / stride, lane = (queries - packed_queries_) % kWidth;
    for (int r = 0; r < rows; ++r) {
      const bool all = all_direct_ || ExponentialRow<T>::wide(keys + r * stride, features_);
      const auto wide = load(wide_queries_ + lane) + set(all ? T{1} : T{0}) != set(T{0});
      if (!xsimd::any(wide)) continue;
      Vec<T> direct = set(T{0});
      for (std::int64_t d = 0; d < D_; ++d) {
        const Vec<T> k = set(direct_keys_.at(key + r)[d * direct_keys_.column]);
        direct = fma(set(natural_[d] * kLog2E), tanh_direct<T>(k + load(direct_queries_ + d * kWidth + lane)),
                     direct);
      }
      sum[r] = xsimd::select(wide, direct, sum[r]);
    }
  }

  std::int64_t D_, features_;
  const T* natural_;         ///< (D): w
  const T* prepared_;        ///< all keys' exponential rows
  T* weights_;               ///< (features): w / max |w|
  T* folded_;                ///< (features): 1 / that where it is part of the denominators, else 0
  T range_ = 0, base_ = 0;   ///< score log2(e) = base + range sum_d weights_d / (1 + A_d B_d)
  bool all_direct_ = false;  ///< a weight is not finite
  T* query_rows_;            ///< exponential rows of the query block
  T* direct_queries_;        ///< (D, kQueries)
  T* wide_queries_;          ///< (kQueries): 1 for wide ones, else 0
  const T *packed_queries_ = nullptr, *packed_keys_ = nullptr;
  T query_reach_ = 0, key_reach_ = 0;
  bool wide_query_ = false, wide_key_ = false;
  Rows<T> direct_keys_{};
};

}  // namespace heed::kernels::cpu::HEED_TIER
