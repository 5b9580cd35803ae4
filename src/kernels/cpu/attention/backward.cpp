#include "core/dtype_dispatch.h"
#include "kernels/cpu/attention/backward_cut.h"
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
        group_(p_.H / p_.Hkv),
        at_once_(std::min(p_.B * p_.Hkv, heads_at_once())),
        scratches_(at_once_ * tasks(), tier_.backward_scratch(p_)),
        queries_(f.grad_queries, group_, p_.Lq, p_.D, chunks_.count, at_once_),
        keys_(f.grad_keys, 1, p_.Lk, p_.D, spans_.count, at_once_),
        values_(f.grad_values, 1, p_.Lk, p_.Dv, spans_.count, at_once_),
        weights_(count(at_once_ * tasks() * p_.D)) {}

  void run() {
    const std::int64_t heads = p_.B * p_.Hkv;
    // Over all heads and tasks in order, however many of them run at once.
    const detail::Workspace<double> weight_sums(count(p_.D));
    std::fill_n(weight_sums.data(), p_.D, 0.0);
    for (std::int64_t first = 0; first < heads; first += at_once_) {
      const std::int64_t size = std::min(at_once_, heads - first);
      run_tasks(first, size);
      for (const Shares<T>* shares : {&queries_, &keys_, &values_}) shares->add(p_, tier_, first, size);
      for (std::int64_t n = 0; f_.grad_score_weights && n < size * tasks() * p_.D; ++n)
        weight_sums[n % p_.D] += static_cast<double>(weights_[n]);
    }
    T* grad_weights = static_cast<T*>(f_.grad_score_weights);
    for (std::int64_t d = 0; grad_weights && d < p_.D; ++d) grad_weights[d] += static_cast<T>(weight_sums[d]);
  }

 private:
  static std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }
  std::int64_t tasks() const { return cut_.tasks(); }
  bool several_spans() const { return spans_.count > 1; }

  /// Gradients of a bias that several heads share must be added head by head, in order.
  std::int64_t heads_at_once() const {
    const HeadedMatrix& bias = f_.grad_bias;
    if (bias.data && ((bias.batch == 0 && p_.B > 1) || (bias.head == 0 && p_.H > 1))) return 1;
    return cut_.heads_at_once(usable_threads());
  }

  /// Tasks that add to the same elements of the bias' gradient are done by one worker, in order.
  void run_tasks(std::int64_t first, std::int64_t size) const {
    const bool by_chunk = f_.grad_bias.data && f_.grad_bias.row == 0 && several_spans();
    const bool by_span = f_.grad_bias.data && f_.grad_bias.column == 0 && chunks_.count > 1;
    const std::int64_t inner_spans = by_chunk ? spans_.count : 1, inner_chunks = by_span ? chunks_.count : 1;
    const std::int64_t outer_spans = spans_.count / inner_spans, outer_chunks = chunks_.count / inner_chunks;
    const std::int64_t outer = outer_spans * outer_chunks, run = worthwhile_run(p_, p_.B * p_.Hkv * outer);
    parallel_tasks(size * outer, run, [&](std::int64_t n, std::int64_t worker) {
      for (std::int64_t s = 0; s < inner_spans; ++s) {
        for (std::int64_t c = 0; c < inner_chunks; ++c) {
          const std::int64_t chunk = inner_chunks > 1 ? c : n / outer_spans % outer_chunks;
          run_task(first, n / outer, chunk, inner_spans > 1 ? s : n % outer_spans, worker);
        }
      }
    });
  }

  void run_task(std::int64_t first, std::int64_t head, std::int64_t chunk, std::int64_t span,
                std::int64_t worker) const {
    const std::int64_t b = (first + head) / p_.Hkv, hkv = (first + head) % p_.Hkv;
    const Share<T> queries = queries_.of(p_, first, head, chunk, spans_.begin(span)),
                   keys = keys_.of(p_, first, head, span, chunks_.begin(chunk)),
                   values = values_.of(p_, first, head, span, chunks_.begin(chunk));
    tier_.backward(
        f_, prepared_.data(),
        {.b = b,
         .hkv = hkv,
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
         .weights = weights_.data() + ((head * chunks_.count + chunk) * spans_.count + span) * p_.D},
        scratches_.of(worker));
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const AttentionTier& tier_;
  PreparedKeys prepared_;
  BackwardCut cut_;
  const Cut &chunks_ = cut_.chunks, &spans_ = cut_.spans;
  std::int64_t group_, at_once_;
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
