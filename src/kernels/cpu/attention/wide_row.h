// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One query row in a type so wide that nothing in it overflows: f64 for f32, long double for f64. For the few rows whose scores
// leave the range of their own type; pair by pair, and so hundreds of times slower than a tile.
//
// A finite score beyond the type's range counts as the type's largest number with its sign, and passes no gradient on to
// queries, keys and weights.
#pragma once

#include "core/philox.h"
#include "kernels/attention.h"
#include "kernels/cpu/attention/key_range.h"
#include "kernels/cpu/attention/recover.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::kernels::cpu {

template <class T>
struct WiderType;
template <>
struct WiderType<float> {
  using type = double;
};
template <>
struct WiderType<double> {
  using type = long double;
};
template <class T>
using Wide = typename WiderType<T>::type;

template <class T>
struct WidePair {
  std::int64_t key;
  Wide<T> score;  ///< with softcap and bias
  Wide<T> slope;  ///< of the score by what queries, keys and weights give; 0 for a score beyond the range
};

enum class RowKind {
  kEmpty,      ///< no pair takes part
  kNotFinite,  ///< some pair that takes part has a query, key or bias that is not finite
  kInRange,    ///< no sum of a score's terms can overflow
  kOverflows,
};

template <class T>
bool is_finite(T x) {
  return x - x == 0;
}

/// (0, or the scale that keeps the mean) for a weight.
inline double dropout_factor(const AttentionDropout& dropout, const RowPlace& at, std::int64_t key) {
  if (dropout.threshold == 0) return 1;
  const auto word = [](std::int64_t x) { return static_cast<std::uint32_t>(x); };
  const PhiloxBlock block =
      philox({word(key / 8), word(at.i), word(at.h), word(at.b)}, philox_key(dropout.seed));
  const std::uint32_t bits = block[static_cast<std::size_t>(key % 8 / 2)] >> (key % 2 * 16) & 0xFFFF;
  return bits >= dropout.threshold ? 65536.0 / (65536.0 - dropout.threshold) : 0.0;
}

template <class T>
class WideRow {
 public:
  WideRow(const AttendProblem& p, const RowPlace& at)
      : p_(p),
        at_(at),
        range_(key_range(p, at.b, at.i)),
        w_(static_cast<const T*>(p.score_weights)),
        query_(p.queries, at.b, at.h, at.i),
        bias_(p.bias, at.b, at.h, at.i),
        allowed_(p.mask.allowed, at.b, at.h, at.i) {}

  const RowPlace& place() const { return at_; }
  std::int64_t key_head() const { return at_.h / (p_.H / p_.Hkv); }
  RowEntries<T> query() const { return query_; }
  RowEntries<T> key(std::int64_t j) const { return {p_.keys, at_.b, key_head(), j}; }
  RowEntries<T> value(std::int64_t j) const { return {p_.values, at_.b, key_head(), j}; }

  RowKind kind() const {
    bool any = false, overflows = false;
    for (std::int64_t j = range_.first; j < range_.last; ++j) {
      if (!takes_part(j)) continue;
      any = true;
      if (p_.bias.data && !is_finite(bias_[j])) return RowKind::kNotFinite;
      const Terms terms = terms_of(j);
      if (!terms.finite) return RowKind::kNotFinite;
      overflows = overflows || terms.may_overflow;
    }
    return !any ? RowKind::kEmpty : overflows ? RowKind::kOverflows : RowKind::kInRange;
  }

  /// body(WidePair) for the pairs that take part.
  template <class Body>
  void each_pair(const Body& body) const {
    for (std::int64_t j = range_.first; j < range_.last; ++j) {
      if (takes_part(j)) body(pair(j));
    }
  }

  /// Adds the gradient of a score's terms to those of the query (D), the key (D) and the weights (D).
  void add_gradient(const WidePair<T>& pair, Wide<T> grad, Wide<T>* queries, Wide<T>* keys,
                    Wide<T>* weights) const {
    const RowEntries<T> k = key(pair.key);
    grad *= pair.slope;
    if (grad == 0) return;
    for (std::int64_t d = 0; d < p_.D; ++d) {
      const Wide<T> x = query_[d], y = k[d];
      switch (p_.score) {
        case ScoreKind::kDot:
          queries[d] += grad * static_cast<Wide<T>>(p_.scale) * y;
          keys[d] += grad * static_cast<Wide<T>>(p_.scale) * x;
          break;
        case ScoreKind::kGaussian: {
          const Wide<T> w = w_[d], towards = grad * w * (y - x);
          queries[d] += towards * w;
          keys[d] -= towards * w;
          weights[d] -= towards * (y - x);
          break;
        }
        case ScoreKind::kAdditive: {
          const Wide<T> tanh = std::tanh(x + y),
                        slope = grad * static_cast<Wide<T>>(w_[d]) * (1 - tanh * tanh);
          queries[d] += slope;
          keys[d] += slope;
          weights[d] += grad * tanh;
          break;
        }
      }
    }
  }

 private:
  static constexpr T kMost = std::numeric_limits<T>::max();
  /// The engine's exponents are those of 2.
  static constexpr Wide<T> kLog2E = static_cast<Wide<T>>(1.44269504088896340735992468100189214L);

  struct Terms {
    bool finite, may_overflow;
  };

  bool takes_part(std::int64_t j) const {
    return (!p_.mask.allowed.data || allowed_[j]) &&
           !(p_.bias.data && bias_[j] == -std::numeric_limits<T>::infinity());
  }

  /// Whether any order of summing a score's terms in T might leave the range, with room for what is done to the sum.
  Terms terms_of(std::int64_t j) const {
    const RowEntries<T> k = key(j);
    bool finite = true, far = false;
    Wide<T> sum = 0;
    for (std::int64_t d = 0; d < p_.D; ++d) {
      const Wide<T> x = query_[d], y = k[d];
      finite = finite && is_finite(x) && is_finite(y);
      switch (p_.score) {
        case ScoreKind::kDot: {
          const Wide<T> scaled = x * static_cast<Wide<T>>(p_.scale);
          far = far || std::abs(scaled) > kMost / 4;
          sum += std::abs(scaled * y);
          break;
        }
        case ScoreKind::kGaussian: {
          const Wide<T> u = static_cast<Wide<T>>(w_[d]) * (x - y);
          far = far || std::abs(x - y) > kMost / 4;
          finite = finite && is_finite(w_[d]);
          sum += u * u;
          break;
        }
        case ScoreKind::kAdditive:
          finite = finite && is_finite(w_[d]);
          sum += std::abs(static_cast<Wide<T>>(w_[d]));
          break;
      }
    }
    return {finite, far || sum * kLog2E > kMost / 4};
  }

  Wide<T> sum_of_terms(std::int64_t j) const {
    const RowEntries<T> k = key(j);
    Wide<T> sum = 0;
    for (std::int64_t d = 0; d < p_.D; ++d) {
      const Wide<T> x = query_[d], y = k[d];
      switch (p_.score) {
        case ScoreKind::kDot: sum += x * y; break;
        case ScoreKind::kGaussian: {
          const Wide<T> u = static_cast<Wide<T>>(w_[d]) * (x - y);
          sum -= u * u / 2;
          break;
        }
        case ScoreKind::kAdditive: sum += static_cast<Wide<T>>(w_[d]) * std::tanh(x + y); break;
      }
    }
    return p_.score == ScoreKind::kDot ? sum * static_cast<Wide<T>>(p_.scale) : sum;
  }

  WidePair<T> pair(std::int64_t j) const {
    const Wide<T> sum = sum_of_terms(j), most = kMost;
    WidePair<T> pair{j, std::clamp(sum, -most, most), sum < -most || sum > most ? Wide<T>{0} : Wide<T>{1}};
    if (p_.softcap > 0) {
      const Wide<T> cap = static_cast<Wide<T>>(p_.softcap), tanh = std::tanh(pair.score / cap);
      pair.score = cap * tanh;
      pair.slope *= 1 - tanh * tanh;
    }
    if (p_.bias.data) {
      // As far as the engine takes a finite bias for what it is.
      const Wide<T> bias = bias_[j], farthest = most / 2 / kLog2E;
      pair.score += is_finite(bias) ? std::clamp(bias, -farthest, farthest) : bias;
    }
    return pair;
  }

  const AttendProblem& p_;
  RowPlace at_;
  KeyRange range_;
  const T* w_;
  RowEntries<T> query_, bias_;
  RowEntries<bool> allowed_;
};

/// The largest score of a row and the sum of its weights relative to that.
template <class T>
struct WideSoftmax {
  Wide<T> largest, sum;

  explicit WideSoftmax(const WideRow<T>& row) : largest(-std::numeric_limits<Wide<T>>::infinity()), sum(0) {
    row.each_pair([&](const WidePair<T>& pair) {
      // NaN stays.
      if (!(pair.score <= largest)) largest = pair.score;
    });
    row.each_pair([&](const WidePair<T>& pair) { sum += std::exp(pair.score - largest); });
  }

  Wide<T> weight(const WidePair<T>& pair) const { return std::exp(pair.score - largest) / sum; }
  Wide<T> log_sum_exp() const {
    const Wide<T> most = std::numeric_limits<T>::max(), whole = largest + std::log(sum);
    return std::clamp(whole, -most, most);
  }
};

}  // namespace heed::kernels::cpu
