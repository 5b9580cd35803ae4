// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/reference/attention.h"

#include "core/parallel.h"
#include "core/storage.h"
#include "kernels/reference/row.h"
#include "kernels/reference/scores.h"

#include <atomic>
#include <vector>

namespace heed::kernels::reference {
namespace {

using detail::Workspace;

std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }

/// rows x columns of one head, as f64.
void load_head(const HeadedMatrix& m, Dtype dtype, std::int64_t b, std::int64_t h, std::int64_t rows,
               std::int64_t columns, double* out) noexcept {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) out[i * columns + c] = load(m.data, dtype, at(m, b, h, i, c));
  }
}

Workspace<double> load_score_weights(const AttendProblem& p) {
  Workspace<double> w(count(p.D));
  for (std::int64_t d = 0; p.score_weights && d < p.D; ++d) w[d] = load(p.score_weights, p.dtype, d);
  return w;
}

/// Scratch for one worker: a query, the pairs of its row, and an output row with its corrections.
struct RowScratch {
  double* q;
  Pair* pairs;
  CompensatedSum* out;
};

/// Scratch for every worker of a parallel_for, allocated before the workers start (they must not throw).
class RowScratches {
 public:
  explicit RowScratches(const AttendProblem& p)
      : D_(p.D),
        Lk_(p.Lk),
        Dv_(p.Dv),
        q_(count(usable_threads() * p.D)),
        pairs_(count(usable_threads() * p.Lk)),
        out_(count(usable_threads() * p.Dv)) {}

  RowScratch take() noexcept {
    const std::int64_t slot = next_.fetch_add(1);
    return {q_.data() + slot * D_, pairs_.data() + slot * Lk_, out_.data() + slot * Dv_};
  }
  void give_back_all() noexcept { next_ = 0; }

 private:
  HeldThreads held_;
  std::int64_t D_, Lk_, Dv_;
  Workspace<double> q_;
  Workspace<Pair> pairs_;
  Workspace<CompensatedSum> out_;
  std::atomic<std::int64_t> next_{0};
};

/// body(b, h, keys, scratches) for each head; keys are the head's, as f64.
template <class Body>
void for_each_head(const AttendProblem& p, const Body& body) {
  Workspace<double> keys(count(p.Lk * p.D));
  const std::int64_t group = p.Hkv > 0 ? p.H / p.Hkv : 1;
  for (std::int64_t b = 0; b < p.B; ++b) {
    for (std::int64_t h = 0; h < p.H; ++h) {
      load_head(p.keys, p.dtype, b, h / group, p.Lk, p.D, keys.data());
      body(b, h, h / group, keys.data());
    }
  }
}

template <class Score>
void forward(const AttendForward& f, const Score& score) {
  const AttendProblem& p = f.problem;
  Workspace<double> values(count(p.Lk * p.Dv));
  RowScratches scratches(p);
  const std::int64_t grain = (1 << 15) / std::max<std::int64_t>(1, p.Lk * (p.D + p.Dv)) + 1;
  for_each_head(p, [&](std::int64_t b, std::int64_t h, std::int64_t hkv, const double* keys) {
    load_head(p.values, p.dtype, b, hkv, p.Lk, p.Dv, values.data());
    scratches.give_back_all();
    parallel_for(p.Lq, grain, [&](std::int64_t begin, std::int64_t end) {
      const RowScratch scratch = scratches.take();
      for (std::int64_t i = begin; i < end; ++i) {
        const RowIndex row{b, h, i};
        for (std::int64_t d = 0; d < p.D; ++d)
          scratch.q[d] = load(p.queries.data, p.dtype, at(p.queries, b, h, i, d));
        const RowResult result = compute_row(p, score, row, scratch.q, keys, scratch.pairs);
        std::fill_n(scratch.out, p.Dv, CompensatedSum{});
        for (std::int64_t n = 0; n < result.count; ++n) {
          const Pair& pair = scratch.pairs[n];
          const double weight = pair.weight * dropout_factor(p.dropout, row, pair.key);
          for (std::int64_t c = 0; c < p.Dv; ++c) scratch.out[c].add(weight * values[pair.key * p.Dv + c]);
        }
        for (std::int64_t c = 0; c < p.Dv; ++c) {
          store(f.out.data, p.dtype, at(f.out, b, h, i, c), scratch.out[c].value());
        }
        store(f.log_sum_exp, p.dtype, (b * p.H + h) * p.Lq + i, result.log_sum_exp);
      }
    });
  });
}

void clear(const HeadedMatrix& m, Dtype dtype, std::int64_t B, std::int64_t H, std::int64_t rows,
           std::int64_t columns) noexcept {
  for (std::int64_t n = 0; m.data && n < B * H * rows; ++n) {
    const std::int64_t b = n / (H * rows), h = n / rows % H, i = n % rows;
    for (std::int64_t c = 0; c < columns; ++c) store(m.data, dtype, at(m, b, h, i, c), 0);
  }
}

/// Adds a head's f64 gradients to the caller's; no data: not wanted.
void add_head(const HeadedMatrix& m, Dtype dtype, std::int64_t b, std::int64_t h, std::int64_t rows,
              std::int64_t columns, const double* grad) noexcept {
  if (!m.data) return;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) add(m.data, dtype, at(m, b, h, i, c), grad[i * columns + c]);
  }
}

template <class Score>
void backward(const AttendBackward& f, const Score& score) {
  const AttendProblem& p = f.problem;
  Workspace<double> values(count(p.Lk * p.Dv)), grad_keys(count(p.Lk * p.D)), grad_values(count(p.Lk * p.Dv));
  Workspace<double> q(count(p.D)), grad_q(count(p.D)), grad_w(count(p.D)), grad_out(count(p.Dv)),
      grad_weight(count(p.Lk));
  Workspace<Pair> pairs(count(p.Lk));
  std::fill_n(grad_w.data(), p.D, 0.0);
  clear(f.grad_queries, p.dtype, p.B, p.H, p.Lq, p.D);
  clear(f.grad_keys, p.dtype, p.B, p.Hkv, p.Lk, p.D);
  clear(f.grad_values, p.dtype, p.B, p.Hkv, p.Lk, p.Dv);
  for_each_head(p, [&](std::int64_t b, std::int64_t h, std::int64_t hkv, const double* keys) {
    load_head(p.values, p.dtype, b, hkv, p.Lk, p.Dv, values.data());
    std::fill_n(grad_keys.data(), p.Lk * p.D, 0.0);
    std::fill_n(grad_values.data(), p.Lk * p.Dv, 0.0);
    for (std::int64_t i = 0; i < p.Lq; ++i) {
      const RowIndex row{b, h, i};
      for (std::int64_t d = 0; d < p.D; ++d) q[d] = load(p.queries.data, p.dtype, at(p.queries, b, h, i, d));
      for (std::int64_t c = 0; c < p.Dv; ++c)
        grad_out[c] = load(f.grad_out.data, p.dtype, at(f.grad_out, b, h, i, c));
      const RowResult result = compute_row(p, score, row, q.data(), keys, pairs.data());

      // Pass 1: gradients of the weights and of the values; delta = sum_j p_j dp_j.
      CompensatedSum delta;
      for (std::int64_t n = 0; n < result.count; ++n) {
        const Pair& pair = pairs[n];
        const double factor = dropout_factor(p.dropout, row, pair.key);
        CompensatedSum product;
        for (std::int64_t c = 0; c < p.Dv; ++c) {
          product.add(grad_out[c] * values[pair.key * p.Dv + c]);
          grad_values[pair.key * p.Dv + c] += pair.weight * factor * grad_out[c];
        }
        grad_weight[n] = factor * product.value();
        delta.add(pair.weight * grad_weight[n]);
      }

      // Pass 2: gradients of the scores, then of what the scores are made of.
      const double grad_lse =
          f.grad_log_sum_exp ? load(f.grad_log_sum_exp, p.dtype, (b * p.H + h) * p.Lq + i) : 0.0;
      std::fill_n(grad_q.data(), p.D, 0.0);
      for (std::int64_t n = 0; n < result.count; ++n) {
        const Pair& pair = pairs[n];
        double grad_score = pair.weight * (grad_weight[n] - delta.value() + grad_lse);
        if (f.grad_bias.data) add(f.grad_bias.data, p.dtype, at(f.grad_bias, b, h, i, pair.key), grad_score);
        if (p.softcap > 0) grad_score *= 1 - (pair.capped / p.softcap) * (pair.capped / p.softcap);
        score.gradient(grad_score, q.data(), keys + pair.key * p.D, p.D,
                       {grad_q.data(), grad_keys.data() + pair.key * p.D, grad_w.data()});
      }
      for (std::int64_t d = 0; f.grad_queries.data && d < p.D; ++d) {
        add(f.grad_queries.data, p.dtype, at(f.grad_queries, b, h, i, d), grad_q[d]);
      }
    }
    add_head(f.grad_keys, p.dtype, b, hkv, p.Lk, p.D, grad_keys.data());
    add_head(f.grad_values, p.dtype, b, hkv, p.Lk, p.Dv, grad_values.data());
  });
  for (std::int64_t d = 0; f.grad_score_weights && d < p.D; ++d)
    add(f.grad_score_weights, p.dtype, d, grad_w[d]);
}

template <class Score>
void weights(const AttendWeights& f, const Score& score) {
  const AttendProblem& p = f.problem;
  Workspace<double> keys(count(p.Lk * p.D)), q(count(p.D));
  Workspace<Pair> pairs(count(p.Lk));
  const std::int64_t group = p.Hkv > 0 ? p.H / p.Hkv : 1;
  std::int64_t next = 0;
  for (std::int64_t b = 0; b < p.B; ++b) {
    for (std::int64_t n = 0; n < f.head_count; ++n) {
      const std::int64_t h = f.heads[n];
      load_head(p.keys, p.dtype, b, h / group, p.Lk, p.D, keys.data());
      for (std::int64_t r = 0; r < f.row_count; ++r, next += p.Lk) {
        const RowIndex row{b, h, f.rows[r]};
        for (std::int64_t d = 0; d < p.D; ++d)
          q[d] = load(p.queries.data, p.dtype, at(p.queries, b, h, row.i, d));
        const RowResult result = compute_row(p, score, row, q.data(), keys.data(), pairs.data());
        for (std::int64_t j = 0; j < p.Lk; ++j) store(f.out, p.dtype, next + j, 0.0);
        for (std::int64_t m = 0; m < result.count; ++m)
          store(f.out, p.dtype, next + pairs[m].key, pairs[m].weight);
      }
    }
  }
}

}  // namespace

void attend_forward(const AttendForward& f) {
  const Workspace<double> w = load_score_weights(f.problem);
  with_score(f.problem, w.data(), [&](const auto& score) { forward(f, score); });
}

void attend_backward(const AttendBackward& f) {
  const Workspace<double> w = load_score_weights(f.problem);
  with_score(f.problem, w.data(), [&](const auto& score) { backward(f, score); });
}

void attend_weights(const AttendWeights& f) {
  const Workspace<double> w = load_score_weights(f.problem);
  with_score(f.problem, w.data(), [&](const auto& score) { weights(f, score); });
}

void attended(const Attended& f) noexcept {
  const AttendProblem& p = f.problem;
  const std::int64_t group = p.Hkv > 0 ? p.H / p.Hkv : 1;
  for (std::int64_t b = 0; b < p.B; ++b) {
    for (std::int64_t h = 0; h < p.H; ++h) {
      bool* keys = f.keys + (b * p.Hkv + h / group) * p.Lk;
      for (std::int64_t i = 0; i < p.Lq; ++i) {
        const RowIndex row{b, h, i};
        const KeyRange range = key_range(p, row);
        for (std::int64_t j = range.begin; j < range.end; ++j) {
          if (!takes_part(p, row, j)) continue;
          keys[j] = true;
          f.queries[(b * p.H + h) * p.Lq + i] = true;
        }
      }
    }
  }
}

}  // namespace heed::kernels::reference
