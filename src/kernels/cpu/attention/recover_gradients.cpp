// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Gradients in a wider type, head by head, pair by pair (wide_row.h).
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "core/storage.h"
#include "kernels/cpu/attention/recover.h"
#include "kernels/cpu/attention/wide_row.h"

#include <vector>

namespace heed::kernels::cpu {
namespace {

std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Elements of a gradient, counted as its strides count them; none if it is not wanted.
std::int64_t extent(const HeadedMatrix& m, std::int64_t B, std::int64_t H, std::int64_t rows,
                    std::int64_t columns) {
  if (!m.data) return 0;
  return 1 + (B - 1) * m.batch + (H - 1) * m.head + (rows - 1) * m.row + (columns - 1) * m.column;
}

template <class T>
bool all_finite(const T* x, std::int64_t n) {
  bool finite = true;
  for (std::int64_t i = 0; i < n; ++i) finite = finite && is_finite(x[i]);
  return finite;
}

/// Takes the place of what is not finite, or of all of it.
template <class T>
void replace(T* to, const Wide<T>* from, std::int64_t n, bool all) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (all || !is_finite(to[i])) to[i] = static_cast<T>(from[i]);
  }
}

/// The same for what goes on through a projection, where infinities would become NaN: the largest number stands for them.
template <class T>
void replace_in_range(T* to, const Wide<T>* from, std::int64_t n, bool all) {
  constexpr Wide<T> kMost = std::numeric_limits<T>::max();
  for (std::int64_t i = 0; i < n; ++i) {
    const Wide<T> x = is_finite(from[i]) ? std::clamp(from[i], -kMost, kMost) : from[i];
    replace(to + i, &x, 1, all);
  }
}

/// Gradients that heads share, as bias and the score's weights are.
template <class T>
struct SharedGradient {
  T* data;
  std::vector<Wide<T>> sums;
  std::vector<bool> overflows;  ///< a row with overflowing scores has a part in it

  SharedGradient(void* gradient, std::int64_t n)
      : data(static_cast<T*>(gradient)), sums(count(gradient ? n : 0)), overflows(sums.size()) {}
  std::int64_t size() const { return static_cast<std::int64_t>(sums.size()); }
  void add(std::int64_t at, Wide<T> grad, bool overflow) {
    sums[count(at)] += grad;
    if (overflow) overflows[count(at)] = true;
  }
  void replace_missing() {
    for (std::int64_t n = 0; n < size(); ++n) replace(data + n, &sums[count(n)], 1, overflows[count(n)]);
  }
};

template <class T>
class WideGradients {
 public:
  explicit WideGradients(const AttendBackward& f)
      : f_(f),
        p_(f.problem),
        group_(p_.H / p_.Hkv),
        bias_(f.grad_bias.data, extent(f.grad_bias, p_.B, p_.H, p_.Lq, p_.Lk)),
        weights_(f.grad_score_weights, p_.D) {}

  void run() {
    const std::int64_t heads = p_.B * p_.Hkv;
    std::vector<std::int64_t> wanted;
    bool overflows = false;
    for (std::int64_t n = 0; n < heads; ++n) {
      const bool here = head_overflows(n);
      overflows = overflows || here;
      if (here || !gradients_finite(n)) wanted.push_back(n);
    }
    // What heads share needs all of them.
    const bool shared = (overflows && (bias_.data || weights_.data)) ||
                        !all_finite(bias_.data, bias_.size()) || !all_finite(weights_.data, weights_.size());
    if (shared) {
      for (std::int64_t n = 0; n < heads; ++n) add_head(n, true);
      if (overflows) weights_.overflows.assign(weights_.overflows.size(), true);
      bias_.replace_missing();
      weights_.replace_missing();
      return;
    }
    parallel_tasks(static_cast<std::int64_t>(wanted.size()),
                   [&](std::int64_t n, std::int64_t) { add_head(wanted[count(n)], false); });
  }

 private:
  using W = Wide<T>;

  /// body(b, h) for the query heads of key-value head n.
  template <class Body>
  void each_query_head(std::int64_t n, const Body& body) const {
    for (std::int64_t h = 0; h < group_; ++h) body(n / p_.Hkv, n % p_.Hkv * group_ + h);
  }

  bool head_overflows(std::int64_t n) const {
    bool overflows = false;
    each_query_head(n, [&](std::int64_t b, std::int64_t h) {
      if (overflows || !scores_may_overflow<T>(p_, {b, h, 0}, p_.Lq)) return;
      for (std::int64_t i = 0; i < p_.Lq && !overflows; ++i) overflows = row_overflows<T>(p_, {b, h, i});
    });
    return overflows;
  }

  static bool rows_finite(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t rows,
                          std::int64_t columns) {
    bool finite = true;
    for (std::int64_t i = 0; m.data && i < rows; ++i)
      finite = finite && all_finite(RowEntries<T>(m, b, h, i).data, columns);
    return finite;
  }

  bool gradients_finite(std::int64_t n) const {
    const std::int64_t b = n / p_.Hkv, hkv = n % p_.Hkv;
    bool finite =
        rows_finite(f_.grad_keys, b, hkv, p_.Lk, p_.D) && rows_finite(f_.grad_values, b, hkv, p_.Lk, p_.Dv);
    each_query_head(n, [&](std::int64_t, std::int64_t h) {
      finite = finite && rows_finite(f_.grad_queries, b, h, p_.Lq, p_.D);
    });
    return finite;
  }

  static T* row_of(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t i) {
    return m.data ? static_cast<T*>(m.data) + b * m.batch + h * m.head + i * m.row : nullptr;
  }

  /// Of queries and keys.
  void replace_projected(T* to, const W* from, std::int64_t n, bool all) const {
    p_.score == ScoreKind::kAdditive ? replace_in_range(to, from, n, all) : replace(to, from, n, all);
  }

  void add_head(std::int64_t n, bool shared) {
    const std::int64_t b = n / p_.Hkv, hkv = n % p_.Hkv;
    Sums sums(p_);
    each_query_head(n, [&](std::int64_t, std::int64_t h) {
      for (std::int64_t i = 0; i < p_.Lq; ++i) add_row({b, h, i}, sums, shared);
    });
    for (std::int64_t j = 0; j < p_.Lk; ++j) {
      const bool all = sums.overflows[count(j)];
      if (T* to = row_of(f_.grad_keys, b, hkv, j))
        replace_projected(to, sums.keys.data() + j * p_.D, p_.D, all);
      if (T* to = row_of(f_.grad_values, b, hkv, j)) replace(to, sums.values.data() + j * p_.Dv, p_.Dv, all);
    }
  }

  /// What the rows of a head add up to.
  struct Sums {
    std::vector<W> keys, values;    ///< (Lk, D), (Lk, Dv)
    std::vector<bool> overflows;    ///< (Lk): some row with overflowing scores attends to the key
    std::vector<W> query, weights;  ///< (D): of the row under way; of all, where nobody wants them
    std::vector<WidePair<T>> pairs;
    std::vector<W> weight, slope;  ///< per pair: p, and the gradient of the dropped weight

    explicit Sums(const AttendProblem& p)
        : keys(count(p.Lk * p.D)),
          values(count(p.Lk * p.Dv)),
          overflows(count(p.Lk)),
          query(count(p.D)),
          weights(count(p.D)) {}
  };

  void add_row(const RowPlace& at, Sums& sums, bool shared) {
    const WideRow<T> row(p_, at);
    sums.pairs.clear();
    row.each_pair([&](const WidePair<T>& pair) { sums.pairs.push_back(pair); });
    if (sums.pairs.empty()) return;
    const bool overflows = scores_may_overflow<T>(p_, at, 1) && row.kind() == RowKind::kOverflows;
    const WideSoftmax<T> softmax(row);
    const RowEntries<T> grad_out(f_.grad_out, at.b, at.h, at.i);
    sums.weight.clear();
    sums.slope.clear();
    // Gradients of the weights and of the values; delta = sum_j p_j dp_j - grad_lse.
    W delta = 0;
    if (f_.grad_log_sum_exp) {
      const std::int64_t place = (at.b * p_.H + at.h) * p_.Lq + at.i;
      delta = -static_cast<W>(static_cast<const T*>(f_.grad_log_sum_exp)[place]);
    }
    for (const WidePair<T>& pair : sums.pairs) {
      const W weight = softmax.weight(pair),
              factor = static_cast<W>(dropout_factor(p_.dropout, at, pair.key));
      const RowEntries<T> value = row.value(pair.key);
      W product = 0;
      for (std::int64_t c = 0; c < p_.Dv; ++c) {
        product += static_cast<W>(grad_out[c]) * static_cast<W>(value[c]);
        sums.values[count(pair.key * p_.Dv + c)] += weight * factor * static_cast<W>(grad_out[c]);
      }
      if (overflows) sums.overflows[count(pair.key)] = true;
      delta += weight * factor * product;
      sums.weight.push_back(weight);
      sums.slope.push_back(factor * product);
    }
    // Of the scores, and of what they are made of.
    std::fill(sums.query.begin(), sums.query.end(), W{0});
    W* weights = shared && weights_.data ? weights_.sums.data() : sums.weights.data();
    for (std::size_t n = 0; n < sums.pairs.size(); ++n) {
      const WidePair<T>& pair = sums.pairs[n];
      const W grad = sums.weight[n] * (sums.slope[n] - delta);
      if (shared && bias_.data) bias_.add(bias_offset(at, pair.key), grad, overflows);
      row.add_gradient(pair, grad, sums.query.data(), sums.keys.data() + pair.key * p_.D, weights);
    }
    if (T* to = row_of(f_.grad_queries, at.b, at.h, at.i))
      replace_projected(to, sums.query.data(), p_.D, overflows);
  }

  std::int64_t bias_offset(const RowPlace& at, std::int64_t key) const {
    const HeadedMatrix& m = f_.grad_bias;
    return at.b * m.batch + at.h * m.head + at.i * m.row + key * m.column;
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  std::int64_t group_;
  SharedGradient<T> bias_, weights_;
};

}  // namespace

void recover_gradients(const AttendBackward& f) {
  visit_floating(f.problem.dtype, [&](auto zero) { WideGradients<decltype(zero)>(f).run(); });
}

}  // namespace heed::kernels::cpu
