#include "core/dtype_dispatch.h"
#include "kernels/cpu/attention/backward_cut.h"
#include "kernels/cpu/attention/backward_progress.h"
#include "kernels/cpu/attention/backward_shares.h"
#include "kernels/cpu/attention/engine.h"

#include <atomic>

namespace heed::kernels::cpu {
namespace {

/// Tasks are (chunk of keys) x (span of queries) of a key-value head. The first chunk writes the queries' gradient and the
/// first span those of keys and values; the others write into memory of their own, which is added in order.
template <class T>
class Backward {
 public:
  explicit Backward(const AttendBackward& f)
      : f_(f),
        p_(f.problem),
        tier_(active_tier()),
        prepared_(p_, tier_),
        cut_(p_, tier_),
        heads_(p_.B * p_.Hkv),
        at_once_(heads_at_once()),
        progress_(heads_, at_once_, chunks_.count, spans_.count),
        scratches_(heads_ * cut_.tasks(), tier_.backward_scratch(p_)),
        queries_(f.grad_queries, p_.H / p_.Hkv, p_.Lq, p_.D, chunks_.count, at_once_),
        keys_(f.grad_keys, 1, p_.Lk, p_.D, spans_.count, at_once_),
        values_(f.grad_values, 1, p_.Lk, p_.Dv, spans_.count, at_once_),
        weights_(static_cast<std::size_t>(f.grad_score_weights ? heads_ * cut_.tasks() * p_.D : 0)) {}

  void run() {
    // Tasks that add to the same elements of the bias' gradient are done by one worker, in order.
    const bool by_chunk = f_.grad_bias.data && f_.grad_bias.row == 0;
    const bool by_span = f_.grad_bias.data && f_.grad_bias.column == 0;
    const std::int64_t inner_spans = by_chunk ? spans_.count : 1, inner_chunks = by_span ? chunks_.count : 1;
    const std::int64_t outer_spans = spans_.count / inner_spans, outer_chunks = chunks_.count / inner_chunks;
    const std::int64_t outer = outer_spans * outer_chunks;
    Runs runs = worthwhile_runs(p_, heads_ * outer);
    runs.workers = at_once_ * outer;
    parallel_tasks(
        heads_ * outer, runs, [&](std::int64_t n) { return progress_.may_begin(n / outer); },
        [&](std::int64_t n, std::int64_t worker) {
          const std::int64_t chunk = n / outer_spans % outer_chunks * inner_chunks,
                             span = n % outer_spans * inner_spans;
          for (std::int64_t s = 0; s < inner_spans; ++s) {
            for (std::int64_t c = 0; c < inner_chunks; ++c) run_task(n / outer, chunk + c, span + s, worker);
          }
        });
    if (f_.grad_score_weights) add_score_weights();
  }

 private:
  /// Gradients of a bias that several heads share must be added head by head, in order.
  std::int64_t heads_at_once() const {
    const HeadedMatrix& bias = f_.grad_bias;
    if (bias.data && ((bias.batch == 0 && p_.B > 1) || (bias.head == 0 && p_.H > 1))) return 1;
    return cut_.heads_at_once(p_, usable_threads());
  }

  void run_task(std::int64_t head, std::int64_t chunk, std::int64_t span, std::int64_t worker) {
    const std::int64_t at = progress_.place(head);
    const Share<T> queries = queries_.of(p_, head, at, chunk, spans_.begin(span)),
                   keys = keys_.of(p_, head, at, span, chunks_.begin(chunk)),
                   values = values_.of(p_, head, at, span, chunks_.begin(chunk));
    tier_.backward(f_, prepared_.data(),
                   {.b = head / p_.Hkv,
                    .hkv = head % p_.Hkv,
                    .key_begin = chunks_.begin(chunk),
                    .key_end = chunks_.end(chunk),
                    .query_begin = spans_.begin(span),
                    .query_end = spans_.end(span),
                    .queries = queries.data,
                    .keys = keys.data,
                    .values = values.data,
                    .query_head_stride = queries.head,
                    .query_stride = queries.row,
                    .key_stride = keys.row,
                    .value_stride = values.row,
                    .weights = f_.grad_score_weights ? weights_of(head, chunk, span) : nullptr},
                   scratches_.of(worker));
    progress_.task_done(
        head, chunk, span,
        [&] {
          keys_.add(p_, tier_, head, at, chunks_.begin(chunk), chunks_.end(chunk));
          values_.add(p_, tier_, head, at, chunks_.begin(chunk), chunks_.end(chunk));
        },
        [&] { queries_.add(p_, tier_, head, at, spans_.begin(span), spans_.end(span)); });
  }

  T* weights_of(std::int64_t head, std::int64_t chunk, std::int64_t span) const {
    return weights_.data() + ((head * chunks_.count + chunk) * spans_.count + span) * p_.D;
  }

  /// Over all heads and tasks in order.
  void add_score_weights() const {
    const detail::Workspace<double> sums(static_cast<std::size_t>(p_.D));
    std::fill_n(sums.data(), p_.D, 0.0);
    for (std::int64_t n = 0; n < heads_ * cut_.tasks() * p_.D; ++n)
      sums[n % p_.D] += static_cast<double>(weights_[n]);
    T* grad = static_cast<T*>(f_.grad_score_weights);
    for (std::int64_t d = 0; d < p_.D; ++d) grad[d] += static_cast<T>(sums[d]);
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const AttentionTier& tier_;
  PreparedKeys prepared_;
  BackwardCut cut_;
  const Cut &chunks_ = cut_.chunks, &spans_ = cut_.spans;
  std::int64_t heads_, at_once_;
  BackwardProgress progress_;
  Scratches scratches_;
  Shares<T> queries_, keys_, values_;
  detail::Workspace<T> weights_;
};

}  // namespace

void attend_backward(const AttendBackward& f) {
  const AttendProblem& p = f.problem;
  visit_floating(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    if (p.B * p.H * p.Lq * p.Lk > 0) {
      Backward<T>(f).run();
    } else {
      clear<T>(f.grad_queries, p.B, p.H, p.Lq, p.D);
      clear<T>(f.grad_keys, p.B, p.Hkv, p.Lk, p.D);
      clear<T>(f.grad_values, p.B, p.Hkv, p.Lk, p.Dv);
    }
  });
}

bool can_attend_backward(const AttendBackward& f) {
  const AttendProblem& p = f.problem;
  const AttentionTier& tier = active_tier();
  std::atomic<bool> finite{true};
  parallel_for(p.B * p.H * p.Lq, (1 << 16) / (p.Dv + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
    if (!tier.finite(p, f.grad_out, begin, end)) finite = false;
  });
  return finite;
}

}  // namespace heed::kernels::cpu
