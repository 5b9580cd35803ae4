// sum_d w_d tanh(k_d + q_d), with exponentials per row instead of per pair: tanh(a + b) = 1 - 2 / (1 + A B) for
// A = e^2a, B = e^2b, so a term is a multiplication and a reciprocal, and four terms share one division.
//
// A product of four denominators must not overflow. Denominators are cut off at kMostDenominator: the term is then
// 1 - 2 / kMostDenominator, which is 1 in this precision. Where the ranges found say that none is that large the cut is
// left out, to the same bits. A row whose exponentials themselves would leave the range is "wide": its pairs are summed
// directly. That is a property of the row or the key alone, so a row's bits do not depend on its neighbours.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/pack-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct AdditiveLimits;
template <>
struct AdditiveLimits<float> {
  static constexpr float kExponent = 126;           ///< of 2, of A and of B
  static constexpr float kDenominator = 0x1p30F;    ///< its fourth power is finite
  static constexpr float kDenominatorExponent = 29;  ///< A B of at most 2^this needs no cut
};
template <>
struct AdditiveLimits<double> {
  static constexpr double kExponent = 1000;
  static constexpr double kDenominator = 0x1p250;
  static constexpr double kDenominatorExponent = 249;
};

/// tanh(x) = 1 - 2 / (1 + e^2x), right for every range.
template <class T>
HEED_INLINE Vec<T> tanh_direct(Vec<T> x) {
  constexpr T kTwice = static_cast<T>(2 * 1.4426950408889634);
  return set(T{1}) - set(T{2}) / (set(T{1}) + exp2(x * set(kTwice)));
}

/// e^2x of some rows, in rows of `features` (a multiple of 4 and of the lanes); 1 in a wide row and beyond D.
template <class T>
struct Exponentials {
  T* rows;
  T* wide;  ///< per row: 1 if wide, else 0
  T largest = 0;  ///< exponent of 2, over the rows that are not wide
  bool any_wide = false;

  void compute(const Rows<T>& x, int count, std::int64_t D, std::int64_t features) {
    constexpr int kN = kLanes<T>;
    const Vec<T> twice = set(static_cast<T>(2 * 1.4426950408889634));
    largest = 0;
    any_wide = false;
    for (int i = 0; i < count; ++i) {
      T* row = rows + i * features;
      for (std::int64_t d = 0; d < features; ++d) row[d] = d < D ? x.at(i)[d * x.column] : T{0};
      Vec<T> most = set(T{0}), not_finite = set(T{0});
      for (std::int64_t d = 0; d < features; d += kN) {
        const Vec<T> exponent = load(row + d) * twice;
        most = xsimd::max(most, xsimd::abs(exponent));
        not_finite = fma(exponent, set(T{0}), not_finite);
        store(row + d, exp2(exponent));
      }
      const T reach = largest_lane<T>(most);
      const bool is_wide = !(reach <= AdditiveLimits<T>::kExponent) || xsimd::hadd(not_finite) != 0;
      wide[i] = is_wide ? T{1} : T{0};
      if (is_wide) {
        any_wide = true;
        std::fill_n(row, features, T{1});
      } else if (reach > largest) {
        largest = reach;
      }
    }
  }
};

template <class T>
class AdditiveScore {
 public:
  AdditiveScore(const AttendProblem& p, Arena& arena)
      : D_(p.D),
        features_(features(p)),
        natural_(static_cast<const T*>(p.score_weights)),
        weights_(arena.take<T>(features_)),
        direct_queries_(arena.take<T>(p.D * kWidth)),
        queries_{arena.take<T>(kWidth * features_), arena.take<T>(kWidth)},
        keys_{nullptr, arena.take<T>(Layout<T>::kBlock)} {
    if (weights_) set_weights();
  }

  /// Rounded up so that four terms, and a vector of them, are always there; those beyond D have weight 0.
  static std::int64_t features(const AttendProblem& p) {
    constexpr std::int64_t kStep = kLanes<T> < 4 ? 4 : kLanes<T>;
    return (p.D + kStep - 1) / kStep * kStep;
  }

  void pack_queries(const Rows<T>& q, int count, T* packed) {
    packed_ = packed;
    queries_.compute(q, count, D_, features_);
    std::fill(queries_.wide + count, queries_.wide + kWidth, T{0});
    pack<T>({queries_.rows, features_, 1}, count, features_, T{1}, packed);
    pack<T>(q, count, D_, T{1}, direct_queries_);
  }

  Rows<T> pack_keys(const Rows<T>& k, int count, T* buffer) {
    direct_keys_ = k;
    keys_.rows = buffer;
    keys_.compute(k, count, D_, features_);
    return {buffer, features_, 1};
  }

  template <int kKeys, int kVecs>
  HEED_INLINE void tile(const T* keys, std::int64_t stride, const T* queries, Vec<T> (&score)[kKeys][kVecs]) const {
    constexpr int kRows = kKeys % 4 == 0 ? 4 : kKeys % 3 == 0 ? 3 : 1;
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
    return all_direct_ || queries_.largest + keys_.largest > AdditiveLimits<T>::kDenominatorExponent;
  }
  bool any_wide() const { return all_direct_ || queries_.any_wide || keys_.any_wide; }
  bool is_wide(int key, int lane) const {
    return all_direct_ || queries_.wide[lane] != 0 || keys_.wide[key] != 0;
  }
  const T* natural() const { return natural_; }
  const T* direct_queries() const { return direct_queries_; }
  const T* query_exponentials() const { return queries_.rows; }

 private:
  static constexpr int kN = kLanes<T>, kWidth = Layout<T>::kQueries;
  static constexpr T kLog2E = static_cast<T>(1.4426950408889634);

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
      Vec<T> a[4];
      HEED_UNROLL
      for (int g = 0; g < 4; ++g) a[g] = load(queries + (d + g) * kWidth);
      HEED_UNROLL
      for (int r = 0; r < kRows; ++r) {
        Vec<T> x[4];
        HEED_UNROLL
        for (int g = 0; g < 4; ++g) {
          x[g] = fma(a[g], set(keys[r * stride + d + g]), set(T{1}));
          // In this order NaN stays.
          if (kCut) x[g] = xsimd::min(set(AdditiveLimits<T>::kDenominator), x[g]);
        }
        const Vec<T> low = fma(set(weights_[d]), x[1], set(weights_[d + 1]) * x[0]);
        const Vec<T> high = fma(set(weights_[d + 2]), x[3], set(weights_[d + 3]) * x[2]);
        const Vec<T> below_low = x[0] * x[1], below_high = x[2] * x[3];
        const Vec<T> above = fma(low, below_high, high * below_low);
        total[r] = add_quotient(above, below_low * below_high, total[r]);
      }
    }
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) sum[r] = fma(set(range_), total[r], set(base_));
  }

  __attribute__((noinline)) void replace_wide(const T* keys, std::int64_t stride, const T* queries, int rows,
                                              Vec<T>* sum) const {
    const std::int64_t key = (keys - keys_.rows) / stride, lane = (queries - packed_) % kWidth;
    for (int r = 0; r < rows; ++r) {
      const bool all = all_direct_ || keys_.wide[key + r] != 0;
      const auto wide = load(queries_.wide + lane) + set(all ? T{1} : T{0}) != set(T{0});
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
  const T* natural_;        ///< (D): w
  T* weights_;              ///< (features): w / max |w|
  T range_ = 0, base_ = 0;  ///< score log2(e) = base + range sum_d weights_d / (1 + A_d B_d)
  bool all_direct_ = false;  ///< a weight is not finite
  T* direct_queries_;       ///< (D, kQueries)
  Exponentials<T> queries_, keys_;
  const T* packed_ = nullptr;
  Rows<T> direct_keys_{};
};

}  // namespace heed::kernels::cpu::HEED_TIER
