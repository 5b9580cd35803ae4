// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dtype_dispatch.h"
#include "core/parallel_graph.h"
#include "core/parallel_shares.h"
#include "kernels/cpu/attention/backward_cut.h"
#include "kernels/cpu/attention/backward_progress.h"
#include "kernels/cpu/attention/backward_shares.h"
#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/attention/few_rows.h"
#include "kernels/cpu/attention/overflow_watch.h"
#include "kernels/cpu/attention/recover.h"

namespace heed::kernels::cpu {
namespace {

/// Tasks are (chunk of keys) x (span of queries) of a key-value head. The first chunk writes the queries' gradient and the
/// first span those of keys and values; the others write into memory of their own, which is added in order. Within a task
/// pieces add to the same sums, and so come one after another, along the rows and along the columns.
template <class T>
class Backward {
 public:
  explicit Backward(const AttendBackward& f)
      : f_(f),
        p_(f.problem),
        tier_(active_tier()),
        few_rows_(!why_not_few_rows(p_)),
        prepared_(p_, tier_),
        cut_(p_, tier_),
        heads_(p_.B * p_.Hkv),
        at_once_(heads_at_once()),
        pieces_(cut_tasks()),
        progress_(heads_, at_once_, chunks_.count, spans_.count),
        scratches_(heads_ * cut_.tasks() * pieces_.count(), tier_.backward_scratch(p_)),
        queries_(f.grad_queries, p_.H / p_.Hkv, p_.Lq, p_.D, chunks_.count, at_once_),
        keys_(f.grad_keys, 1, p_.Lk, p_.D, spans_.count, at_once_),
        values_(f.grad_values, 1, p_.Lk, p_.Dv, spans_.count, at_once_),
        weight_blocks_(few_rows_ ? 1 : cut_.most_blocks()),
        weights_(static_cast<std::size_t>(f.grad_score_weights ? heads_ * cut_.tasks() * weight_blocks_ * p_.D
                                                               : 0)),
        met_keys_(few_rows_ ? 0 : cut_.most_blocks()),
        met_each_(few_rows_ ? 0 : met_keys_ + cut_.most_rows()),
        met_(static_cast<std::size_t>(at_once_ * cut_.tasks() * met_each_)) {}

  void run() {
    pieces_.count() > 1 ? run_pieces() : run_tasks();
    if (f_.grad_score_weights) add_score_weights();
    if (overflow_.overflowed()) recover_gradients(f_);
  }

 private:
  /// Pieces of all tasks of all heads, in order.
  struct Graph {
    Backward& backward;
    std::int64_t each, columns, of_head, threads;

    std::int64_t count() const { return backward.heads_ * of_head; }
    std::int64_t window() const { return backward.at_once_ * of_head; }
    template <class Done>
    bool ready(std::int64_t n, const Done& done) const {
      const std::int64_t piece = n % each;
      return backward.progress_.may_begin(n / of_head) && (piece < columns || done(n - columns)) &&
             (piece % columns == 0 || done(n - 1));
    }
    std::int64_t rank(std::int64_t n) const { return n % each / columns + n % each % columns; }
    /// Has the same keys.
    std::int64_t next(std::int64_t n) const { return n % each + columns < each ? n + columns : -1; }
    /// Many more columns than threads even out by themselves.
    std::int64_t slack() const { return count() / each * columns / (4 * threads); }
  };

  void run_pieces() {
    const std::int64_t each = pieces_.count();
    const Graph graph{*this, each, pieces_.columns, cut_.tasks() * each, usable_threads()};
    parallel_graph(graph, [&](std::int64_t n, std::int64_t worker) {
      const std::int64_t task = n / each % cut_.tasks();
      run_piece(n / graph.of_head, task / spans_.count, task % spans_.count, n % each, worker);
    });
  }

  void run_tasks() {
    // Tasks that add to the same elements of the bias' gradient are done by one worker, in order.
    const bool by_chunk = shares_bias_row(), by_span = shares_bias_column();
    const std::int64_t inner_spans = by_chunk ? spans_.count : 1, inner_chunks = by_span ? chunks_.count : 1;
    const std::int64_t outer_spans = spans_.count / inner_spans, outer_chunks = chunks_.count / inner_chunks;
    const std::int64_t outer = outer_spans * outer_chunks;
    Runs runs = worthwhile_runs(p_, heads_ * outer);
    runs.workers = at_once_ * outer;
    const auto run = [&](std::int64_t n, std::int64_t worker) {
      const std::int64_t chunk = n / outer_spans % outer_chunks * inner_chunks,
                         span = n % outer_spans * inner_spans;
      for (std::int64_t s = 0; s < inner_spans; ++s) {
        for (std::int64_t c = 0; c < inner_chunks; ++c) run_piece(n / outer, chunk + c, span + s, 0, worker);
      }
    };
    if (at_once_ == heads_) return parallel_shared_tasks({heads_ * outer}, runs, run);
    parallel_tasks(
        heads_ * outer, runs, [&](std::int64_t n) { return progress_.may_begin(n / outer); }, run);
  }

  bool shares_bias_row() const { return f_.grad_bias.data && f_.grad_bias.row == 0; }
  bool shares_bias_column() const { return f_.grad_bias.data && f_.grad_bias.column == 0; }
  /// Gradients of a bias that several heads share must be added head by head, in order.
  bool shares_bias_head() const {
    const HeadedMatrix& bias = f_.grad_bias;
    return bias.data && ((bias.batch == 0 && p_.B > 1) || (bias.head == 0 && p_.H > 1));
  }

  std::int64_t heads_at_once() const {
    return shares_bias_head() ? 1 : cut_.heads_at_once(p_, usable_threads());
  }

  BackwardPieces cut_tasks() const {
    if (few_rows_ || shares_bias_row() || shares_bias_column()) return {};
    return {p_, cut_, at_once_, usable_threads()};
  }

  void run_piece(std::int64_t head, std::int64_t chunk, std::int64_t span, std::int64_t piece,
                 std::int64_t worker) {
    const HeadPlace place{head / p_.Hkv, head % p_.Hkv, progress_.place(head)};
    const std::int64_t task = chunk * spans_.count + span, key_begin = chunks_.begin(chunk),
                       key_end = chunks_.end(chunk), query_begin = spans_.begin(span),
                       query_end = spans_.end(span);
    const BackwardPieces::Piece part = pieces_.piece(cut_, chunk, span, piece);
    const Share<T> queries = queries_.of(place, chunk, query_begin), keys = keys_.of(place, span, key_begin),
                   values = values_.of(place, span, key_begin);
    bool* met = met_.data() + (place.at * cut_.tasks() + task) * met_each_;
    tier_.backward(f_, prepared_.data(),
                   {.b = place.b,
                    .hkv = place.hkv,
                    .key_begin = key_begin,
                    .key_end = key_end,
                    .query_begin = query_begin,
                    .query_end = query_end,
                    .row_begin = part.row_begin,
                    .row_end = part.row_end,
                    .block_begin = part.block_begin,
                    .block_end = part.block_end,
                    .keys_met = met,
                    .rows_met = met + met_keys_,
                    .queries = queries.data,
                    .keys = keys.data,
                    .values = values.data,
                    .query_head_stride = queries.head,
                    .query_stride = queries.row,
                    .key_stride = keys.row,
                    .value_stride = values.row,
                    .weights = f_.grad_score_weights
                                   ? weights_.data() + (head * cut_.tasks() + task) * weight_blocks_ * p_.D
                                   : nullptr},
                   scratches_.of(worker));
    if (piece + 1 == pieces_.count()) finish_task(place, head, chunk, span);  // it comes after all others
    overflow_.after_task(worker);
  }

  void finish_task(const HeadPlace& place, std::int64_t head, std::int64_t chunk, std::int64_t span) {
    const std::int64_t key_begin = chunks_.begin(chunk), key_end = chunks_.end(chunk),
                       query_begin = spans_.begin(span), query_end = spans_.end(span);
    progress_.task_done(
        head, chunk, span,
        [&] {
          keys_.add(p_.dtype, tier_, place, key_begin, key_end);
          values_.add(p_.dtype, tier_, place, key_begin, key_end);
        },
        [&] { queries_.add(p_.dtype, tier_, place, query_begin, query_end); });
  }

  /// Over all heads, tasks and key blocks in order.
  void add_score_weights() const {
    const detail::Workspace<double> sums(static_cast<std::size_t>(p_.D));
    std::fill_n(sums.data(), p_.D, 0.0);
    for (std::int64_t task = 0; task < heads_ * cut_.tasks(); ++task) {
      const std::int64_t blocks = few_rows_ ? 1 : cut_.blocks(task / spans_.count % chunks_.count);
      const T* from = weights_.data() + task * weight_blocks_ * p_.D;
      for (std::int64_t n = 0; n < blocks * p_.D; ++n) sums[n % p_.D] += static_cast<double>(from[n]);
    }
    T* grad = static_cast<T*>(f_.grad_score_weights);
    for (std::int64_t d = 0; d < p_.D; ++d) grad[d] += static_cast<T>(sums[d]);
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const AttentionTier& tier_;
  bool few_rows_;
  PreparedKeys prepared_;
  BackwardCut cut_;
  const Cut &chunks_ = cut_.chunks, &spans_ = cut_.spans;
  std::int64_t heads_, at_once_;
  BackwardPieces pieces_;
  BackwardProgress progress_;
  Scratches scratches_;
  Shares<T> queries_, keys_, values_;
  std::int64_t
      weight_blocks_;  ///< key blocks of a task, each with sums of its own; few rows have one for all
  detail::Workspace<T> weights_;      ///< (heads, tasks, weight_blocks, D)
  std::int64_t met_keys_, met_each_;  ///< flags of a task: of its key blocks, and of its query blocks too
  detail::Workspace<bool> met_;
  CallOverflow overflow_;
};

}  // namespace

void attend_backward(const AttendBackward& f) {
  const AttendProblem& p = f.problem;
  visit_floating(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    if (p.B > 0 && p.H > 0 && p.Lq > 0 && p.Lk > 0) {
      Backward<T>(f).run();
    } else {
      clear<T>(f.grad_queries, p.B, p.H, p.Lq, p.D);
      clear<T>(f.grad_keys, p.B, p.Hkv, p.Lk, p.D);
      clear<T>(f.grad_values, p.B, p.Hkv, p.Lk, p.Dv);
    }
  });
}

}  // namespace heed::kernels::cpu
