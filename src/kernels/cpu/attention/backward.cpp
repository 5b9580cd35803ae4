#include "core/dtype_dispatch.h"
#include "kernels/cpu/attention/backward_cut.h"
#include "kernels/cpu/attention/engine.h"

#include <atomic>

namespace heed::kernels::cpu {
namespace {

/// Tasks are (chunk of keys) x (span of queries) of a key-value head. A task's share of the queries' gradient, and of the
/// keys' and values' where there are several spans, goes into memory of its own; shares are added in order.
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
        queries_(f.grad_queries.data ? count(at_once_ * chunks_.count * group_ * p_.Lq * p_.D) : 0),
        keys_(several_spans() ? count(at_once_ * spans_.count * p_.Lk * p_.D) : 0),
        values_(several_spans() ? count(at_once_ * spans_.count * p_.Lk * p_.Dv) : 0),
        weights_(count(at_once_ * tasks() * p_.D)) {}

  void run() {
    const std::int64_t heads = p_.B * p_.Hkv;
    // Over all heads and tasks in order, however many of them run at once.
    const detail::Workspace<double> weight_sums(count(p_.D));
    std::fill_n(weight_sums.data(), p_.D, 0.0);
    for (std::int64_t first = 0; first < heads; first += at_once_) {
      const std::int64_t size = std::min(at_once_, heads - first);
      run_tasks(first, size);
      if (f_.grad_queries.data) add_queries(first, size);
      if (several_spans()) {
        add_spans(f_.grad_keys, keys_.data(), p_.D, first, size);
        add_spans(f_.grad_values, values_.data(), p_.Dv, first, size);
      }
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
    parallel_tasks(size * outer_spans * outer_chunks, [&](std::int64_t n, std::int64_t worker) {
      const std::int64_t head = n / (outer_spans * outer_chunks);
      for (std::int64_t s = 0; s < inner_spans; ++s) {
        for (std::int64_t c = 0; c < inner_chunks; ++c) {
          const std::int64_t chunk = inner_chunks > 1 ? c : n / outer_spans % outer_chunks;
          run_task(first, head, chunk, inner_spans > 1 ? s : n % outer_spans, worker);
        }
      }
    });
  }

  void run_task(std::int64_t first, std::int64_t head, std::int64_t chunk, std::int64_t span,
                std::int64_t worker) const {
    const std::int64_t b = (first + head) / p_.Hkv, hkv = (first + head) % p_.Hkv;
    const std::int64_t key_begin = chunks_.begin(chunk), rows = chunks_.end(chunk) - key_begin;
    BackwardTask task{
        .b = b,
        .hkv = hkv,
        .key_begin = key_begin,
        .key_end = chunks_.end(chunk),
        .query_begin = spans_.begin(span),
        .query_end = spans_.end(span),
        .queries = queries_of(head, chunk, span),
        .keys = at(f_.grad_keys, b, hkv, key_begin),
        .values = at(f_.grad_values, b, hkv, key_begin),
        .key_stride = f_.grad_keys.row,
        .value_stride = f_.grad_values.row,
        .weights = weights_.data() + ((head * chunks_.count + chunk) * spans_.count + span) * p_.D};
    if (several_spans()) {
      const std::int64_t row = (head * spans_.count + span) * p_.Lk + key_begin;
      const auto own = [&](T* memory, std::int64_t width) {
        return std::fill_n(memory + row * width, rows * width, T{0}) - rows * width;
      };
      if (task.keys) task.keys = own(keys_.data(), p_.D);
      if (task.values) task.values = own(values_.data(), p_.Dv);
      task.key_stride = p_.D;
      task.value_stride = p_.Dv;
    }
    tier_.backward(f_, prepared_.data(), task, scratches_.of(worker));
  }

  static void add_row(const T* from, std::int64_t count, T scale, T* to) {
#pragma omp simd
    for (std::int64_t d = 0; d < count; ++d) to[d] += scale * from[d];
  }

  T* at(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t row) const {
    return m.data ? static_cast<T*>(m.data) + b * m.batch + h * m.head + row * m.row : nullptr;
  }

  /// Memory for a task's queries: per head and chunk all spans, span by span.
  T* queries_of(std::int64_t head, std::int64_t chunk, std::int64_t span) const {
    const std::int64_t before = (head * chunks_.count + chunk) * group_ * p_.Lq + group_ * spans_.begin(span);
    return queries_.data() + before * p_.D;
  }

  /// grad_queries += scale * sum of the chunks' parts, in order of chunks.
  void add_queries(std::int64_t first, std::int64_t size) const {
    const T scale = p_.score == ScoreKind::kDot ? static_cast<T>(p_.scale) : T{1};
    const std::int64_t step = group_ * p_.Lq * p_.D;
    parallel_for(size * group_ * p_.Lq, (1 << 14) / (p_.D * chunks_.count + 1) + 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t n = begin; n < end; ++n) {
                     const std::int64_t head = n / (group_ * p_.Lq), h = n / p_.Lq % group_, i = n % p_.Lq;
                     const std::int64_t span = i / spans_.piece, i0 = spans_.begin(span);
                     T* part = queries_of(head, 0, span) + (h * (spans_.end(span) - i0) + i - i0) * p_.D;
                     T* out = at(f_.grad_queries, (first + head) / p_.Hkv,
                                 (first + head) % p_.Hkv * group_ + h, i);
                     for (std::int64_t c = 1; c < chunks_.count; ++c)
                       add_row(part + c * step, p_.D, T{1}, part);
                     add_row(part, p_.D, scale, out);
                   }
                 });
  }

  /// grad += the spans' parts (heads, spans, Lk, width), in order of spans.
  void add_spans(const HeadedMatrix& grad, const T* parts, std::int64_t width, std::int64_t first,
                 std::int64_t size) const {
    if (!grad.data) return;
    parallel_for(size * p_.Lk, (1 << 14) / (width * spans_.count + 1) + 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t n = begin; n < end; ++n) {
                     const std::int64_t head = n / p_.Lk, row = n % p_.Lk;
                     const T* part = parts + (head * spans_.count * p_.Lk + row) * width;
                     T* out = at(grad, (first + head) / p_.Hkv, (first + head) % p_.Hkv, row);
                     for (std::int64_t s = 0; s < spans_.count; ++s)
                       add_row(part + s * p_.Lk * width, width, T{1}, out);
                   }
                 });
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const AttentionTier& tier_;
  PreparedKeys prepared_;
  BackwardCut cut_;
  const Cut &chunks_ = cut_.chunks, &spans_ = cut_.spans;
  std::int64_t group_, at_once_;
  Scratches scratches_;
  detail::Workspace<T> queries_, keys_, values_, weights_;
};

}  // namespace

void attend_backward(const AttendBackward& f) {
  const AttendProblem& p = f.problem;
  if (p.B * p.H * p.Lq * p.Lk == 0) return;
  visit_floating(p.dtype, [&](auto zero) { Backward<decltype(zero)>(f).run(); });
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
