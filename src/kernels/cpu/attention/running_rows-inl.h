// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The rows of a query block while keys are added to them: started, merged with those of another chunk, written.
#pragma once

#include "kernels/cpu/attention/block-inl.h"
#include "kernels/cpu/attention/geometry-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// Rows of a query block as far as they have come.
template <class T>
struct RunningRows {
  T* out;  ///< (kQueries, Dv)
  T *reference, *sum;
};

template <class T>
class RowsInHand {
 public:
  /// Two arrays of kQueries to work in.
  RowsInHand(const AttendForward& f, const QueryBlock& block, T* scale, T* other_scale)
      : f_(f),
        p_(f.problem),
        block_(block),
        vectors_((block.count + kN - 1) / kN),
        scale_(scale),
        other_scale_(other_scale) {}

  /// reference: (kQueries), of the rows; none: they have none yet.
  void start(const RunningRows<T>& rows, const T* reference = nullptr) const {
    // Lanes beyond the rows hold queries of zeros. An additive score of those may be large, and would ask for new references.
    const T beyond = p_.score == ScoreKind::kAdditive ? std::numeric_limits<T>::max() : T{0};
    for (int lane = 0; lane < vectors_ * kN; ++lane) {
      rows.reference[lane] = lane >= block_.count ? beyond : reference ? reference[lane] : kMinusInf<T>;
      rows.sum[lane] = 0;
    }
  }

  /// total += part, both brought to the larger reference.
  void merge(const RunningRows<T>& total, const RunningRows<T>& part) const {
    for (int v = 0; v < vectors_; ++v) {
      const Vec<T> a = load(total.reference + v * kN), b = load(part.reference + v * kN);
      const Vec<T> most = xsimd::max(a, b);
      // Not 2^0: what is there must stay as it is when nothing comes to it.
      const Vec<T> scale_a = xsimd::select(a == most, set(T{1}), exp2(a - most));
      const Vec<T> scale_b = xsimd::select(b == most, set(T{1}), exp2(b - most));
      store(scale_ + v * kN, scale_a);
      store(other_scale_ + v * kN, scale_b);
      store(total.sum + v * kN, fma(load(total.sum + v * kN), scale_a, load(part.sum + v * kN) * scale_b));
      store(total.reference + v * kN, most);
    }
    for (int i = 0; i < block_.count; ++i) {
      T* to = total.out + i * p_.Dv;
      const T* from = part.out + i * p_.Dv;
      const T a = scale_[i], b = other_scale_[i];
      for (std::int64_t c = 0; c < p_.Dv; ++c) to[c] = to[c] * a + from[c] * b;
    }
  }

  /// (count): 1 / sums, 0 for rows without pairs.
  const T* inverse_sums(const RunningRows<T>& rows) const {
    for (int v = 0; v < vectors_; ++v) {
      const Vec<T> sum = load(rows.sum + v * kN);
      const auto empty = empty_lanes(load(rows.reference + v * kN), sum);
      store(scale_ + v * kN, xsimd::select(empty, set(T{0}), set(T{1}) / sum));
    }
    return scale_;
  }

  void write_log_sum_exp(const RunningRows<T>& rows) const {
    T* lse = static_cast<T*>(f_.log_sum_exp) + (block_.b * p_.H + block_.h) * p_.Lq + block_.i;
    for (int v = 0; v < vectors_; ++v) {
      const Vec<T> sum = load(rows.sum + v * kN), reference = load(rows.reference + v * kN);
      const Vec<T> natural = (reference + xsimd::log2(sum)) * set(static_cast<T>(0.6931471805599453));
      const Vec<T> result = xsimd::select(empty_lanes(reference, sum), set(kMinusInf<T>), natural);
      const int left = block_.count - v * kN;
      store_first(lse + v * kN, result, left < kN ? left : kN);
    }
  }

  void write_rows(const RunningRows<T>& rows) const {
    each_result(rows, [](T& to, T result) { to = result; });
  }

  /// Only what is finite, in place of what is not.
  void write_missing(const RunningRows<T>& rows) const {
    each_result(rows, [](T& to, T result) {
      if (to - to != 0 && result - result == 0) to = result;
    });
  }

  /// A bit for each row whose weights add up to 0 or to nothing finite, those without pairs among them.
  std::uint64_t broken(const RunningRows<T>& rows) const {
    constexpr T kMost = std::numeric_limits<T>::max();
    auto normal = Mask<T>(true);
    for (int v = 0; v < vectors_; ++v) {
      const Vec<T> sum = load(rows.sum + v * kN), reference = load(rows.reference + v * kN);
      normal = normal & (((sum > set(T{0})) & (sum <= set(kMost)) & (xsimd::abs(reference) <= set(kMost))) |
                         !lanes_in<T>(0, block_.count - v * kN));
    }
    if (xsimd::all(normal)) return 0;
    std::uint64_t bits = 0;
    for (int i = 0; i < block_.count; ++i) {
      const T sum = rows.sum[i], reference = rows.reference[i];
      const bool fine = sum > 0 && sum <= kMost && reference >= -kMost && reference <= kMost;
      bits |= std::uint64_t{!fine} << i;
    }
    return bits;
  }

  bool row_finite(int i) const {
    return all_finite(row_of<T>(f_.out, block_.b, block_.h, block_.i + i), p_.Dv);
  }

  bool output_finite() const {
    return all_rows_finite(rows_of<T>(f_.out, block_.b, block_.h, block_.i), block_.count, p_.Dv);
  }

 private:
  static constexpr int kN = kLanes<T>;

  /// body(element of the output, what rows give for it)
  template <class Body>
  void each_result(const RunningRows<T>& rows, const Body& body) const {
    const T* scale = inverse_sums(rows);
    for (int i = 0; i < block_.count; ++i) {
      const T* from = rows.out + i * p_.Dv;
      T* to = row_of<T>(f_.out, block_.b, block_.h, block_.i + i);
      for (std::int64_t c = 0; c < p_.Dv; ++c) body(to[c], from[c] * scale[i]);
    }
  }

  static auto empty_lanes(Vec<T> reference, Vec<T> sum) {
    return (reference == set(kMinusInf<T>)) & (sum == set(T{0}));
  }

  const AttendForward& f_;
  const AttendProblem& p_;
  QueryBlock block_;
  int vectors_;
  T *scale_, *other_scale_;
};

}  // namespace heed::kernels::cpu::HEED_TIER
