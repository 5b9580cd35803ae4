#include "kernels/cpu/attention/engine.h"

#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "core/storage.h"
#include "kernels/cpu/attention/tier.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace heed::kernels::cpu {
namespace {

std::int64_t pieces(std::int64_t size, std::int64_t piece) { return (size + piece - 1) / piece; }

/// Scratch for every worker, each piece on cache lines of its own.
class Scratches {
 public:
  Scratches(std::int64_t tasks, std::size_t bytes)
      : bytes_((bytes + 127) / 128 * 128),
        memory_(static_cast<std::size_t>(std::min<std::int64_t>(tasks, usable_threads())) * bytes_) {}
  void* of(std::int64_t worker) const { return memory_.data() + static_cast<std::size_t>(worker) * bytes_; }

 private:
  std::size_t bytes_;
  detail::Workspace<std::byte> memory_;
};

/// What the score computes once per key, for all keys.
class PreparedKeys {
 public:
  PreparedKeys(const AttendProblem& p, const AttentionTier& tier)
      : memory_(static_cast<std::size_t>(p.B * p.Hkv * p.Lk) * tier.prepared_bytes(p)) {
    if (tier.prepared_bytes(p) == 0) return;
    parallel_for(p.B * p.Hkv * p.Lk, (1 << 14) / (p.D + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
      tier.prepare_keys(p, begin, end, memory_.data());
    });
  }
  const void* data() const { return memory_.data(); }

 private:
  detail::Workspace<std::byte> memory_;
};

/// At most this many chunks of keys and spans of queries per head: enough for many cores, few enough that partial sums
/// stay small beside the gradients themselves.
constexpr std::int64_t kMostChunks = 8, kMostSpans = 4;
/// Below these, packing rows anew for every piece and adding up partial sums would cost more than another core gains.
constexpr std::int64_t kSmallestChunk = 512, kSmallestSpan = 1024;

/// A range cut into equal pieces, each a multiple of `grain` but the last.
struct Cut {
  std::int64_t size, piece, count;
  Cut(std::int64_t whole, std::int64_t most, std::int64_t grain)
      : size(whole),
        piece(std::max<std::int64_t>(1, pieces(pieces(whole, most), grain)) * grain),
        count(pieces(whole, piece)) {}
  std::int64_t begin(std::int64_t n) const { return n * piece; }
  std::int64_t end(std::int64_t n) const { return std::min(size, (n + 1) * piece); }
};

/// How the backward of one key-value head is cut.
struct BackwardCut {
  Cut chunks, spans;

  BackwardCut(const AttendProblem& p, const AttentionTier& tier)
      : chunks(p.Lk, std::clamp<std::int64_t>(p.Lk / kSmallestChunk, 1, kMostChunks), tier.key_rows(p.dtype)),
        spans(p.Lq, std::clamp<std::int64_t>(p.Lq / kSmallestSpan, 1, kMostSpans), tier.query_rows(p.dtype)) {
  }

  std::int64_t tasks() const { return chunks.count * spans.count; }
  std::int64_t heads_at_once(std::int64_t threads) const {
    return pieces(2 * threads, std::max<std::int64_t>(1, tasks()));
  }
  /// What partial sums of so many heads take.
  std::int64_t partial_elements(const AttendProblem& p, std::int64_t heads) const {
    const std::int64_t group = p.Hkv > 0 ? p.H / p.Hkv : 0;
    return heads *
           (chunks.count * group * p.Lq * p.D + (spans.count > 1 ? spans.count * p.Lk * (p.D + p.Dv) : 0));
  }
};

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

/// Memory for the results of (task, chunk).
class ForwardParts {
 public:
  ForwardParts(const AttendProblem& p, std::int64_t rows, std::int64_t tasks, std::int64_t chunks)
      : chunks_(chunks),
        bytes_((rows * (p.Dv + 2) * element(p) + 63) / 64 * 64),
        memory_(static_cast<std::size_t>(tasks * chunks * bytes_)),
        parts_(static_cast<std::size_t>(tasks * chunks)) {
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      std::byte* part = memory_.data() + static_cast<std::int64_t>(n) * bytes_;
      parts_[n] = {part, part + rows * p.Dv * element(p), part + rows * (p.Dv + 1) * element(p)};
    }
  }
  /// The part of a task's chunk; those of its further chunks follow.
  const ForwardPart* of(std::int64_t task, std::int64_t chunk = 0) const {
    return &parts_[static_cast<std::size_t>(task * chunks_ + chunk)];
  }

 private:
  static std::int64_t element(const AttendProblem& p) { return static_cast<std::int64_t>(size_of(p.dtype)); }
  std::int64_t chunks_, bytes_;
  detail::Workspace<std::byte> memory_;
  std::vector<ForwardPart> parts_;
};

/// Few query blocks against many keys: workers share out the chunks of keys. To the same bits as block by block.
template <class BlockOf>
void forward_by_chunk(const AttendForward& f, const AttentionTier& tier, const void* prepared,
                      std::int64_t tasks, std::int64_t chunks, const BlockOf& block_of) {
  const AttendProblem& p = f.problem;
  const ForwardParts parts(p, tier.query_rows(p.dtype), tasks, chunks);
  const Scratches scratches(tasks * chunks, tier.forward_scratch(p));
  parallel_tasks(tasks * chunks, [&](std::int64_t n, std::int64_t worker) {
    const std::int64_t task = n / chunks, chunk = n % chunks;
    tier.forward_chunk(f, prepared, block_of(task), chunk, *parts.of(task, chunk), scratches.of(worker));
  });
  parallel_tasks(tasks, [&](std::int64_t task, std::int64_t worker) {
    tier.forward_merge(f, block_of(task), parts.of(task), chunks, scratches.of(worker));
  });
}

/// None if a problem goes by the kernel for few rows.
const char* why_not_few_rows(const AttendProblem& p) noexcept {
  if (p.score != ScoreKind::kDot) return "only for dot products";
  if (p.H > 0 && p.Lq * (p.H / p.Hkv) > kFewRows) return "more than 8 queries read a key-value head";
  if (p.bias.data) return "there is a bias";
  if (p.mask.allowed.data) return "there is a boolean mask";
  if (p.softcap > 0) return "there is a softcap";
  if (p.dropout.threshold > 0) return "there is dropout";
  return nullptr;
}

void decode(const AttendForward& f, const AttentionTier& tier) {
  const AttendProblem& p = f.problem;
  const std::int64_t size = tier.chunk_rows(p.dtype);
  const std::int64_t heads = p.B * p.Hkv, chunks = std::max<std::int64_t>(1, pieces(p.Lk, size));
  const ForwardParts parts(p, kFewRows, heads, chunks);
  const Scratches scratches(heads * chunks, tier.decode_scratch(p));
  parallel_tasks(heads * chunks, [&](std::int64_t n, std::int64_t worker) {
    const std::int64_t head = n / chunks, chunk = n % chunks;
    tier.decode_chunk(f, {head / p.Hkv, head % p.Hkv}, chunk * size, std::min(p.Lk, (chunk + 1) * size),
                      *parts.of(head, chunk), scratches.of(worker));
  });
  parallel_tasks(heads, [&](std::int64_t head, std::int64_t worker) {
    tier.decode_merge(f, {head / p.Hkv, head % p.Hkv}, parts.of(head), chunks, scratches.of(worker));
  });
}

}  // namespace

void attend_forward(const AttendForward& f) {
  const AttendProblem& p = f.problem;
  const AttentionTier& tier = active_tier();
  const std::int64_t rows = tier.query_rows(p.dtype);
  const std::int64_t blocks = pieces(p.Lq, rows), tasks = p.B * p.H * blocks;
  const std::int64_t chunks = pieces(p.Lk, tier.chunk_rows(p.dtype));
  if (tasks == 0) return;
  if (!why_not_few_rows(p)) {
    decode(f, tier);
    return;
  }
  const auto block_of = [&](std::int64_t task) {
    // Late query blocks first: under a causal mask they are the long ones, and should not be what everyone waits for.
    const std::int64_t i = (blocks - 1 - task % blocks) * rows, head = task / blocks;
    return QueryBlock{head / p.H, head % p.H, i, static_cast<int>(std::min(rows, p.Lq - i))};
  };
  const PreparedKeys prepared(p, tier);
  if (chunks > 1 && tasks < 4 * usable_threads()) {
    forward_by_chunk(f, tier, prepared.data(), tasks, chunks, block_of);
    return;
  }
  const Scratches scratches(tasks, tier.forward_scratch(p));
  // A worker keeps to one head where there are enough of them, and so to its keys and values.
  const std::int64_t run = std::clamp<std::int64_t>(tasks / (8 * usable_threads()), 1, blocks);
  parallel_tasks(pieces(tasks, run), [&](std::int64_t n, std::int64_t worker) {
    for (std::int64_t task = n * run; task < std::min(tasks, (n + 1) * run); ++task) {
      tier.forward(f, prepared.data(), block_of(task), scratches.of(worker));
    }
  });
}

AttendPlan attend_plan(const AttendProblem& p) noexcept {
  const AttentionTier& tier = active_tier();
  const BackwardCut cut(p, tier);
  const std::int64_t threads = usable_threads(), heads = p.B * p.Hkv;
  AttendPlan plan{.tier = tier.name,
                  .few_rows = !why_not_few_rows(p),
                  .why_not_few_rows = why_not_few_rows(p),
                  .query_rows = tier.query_rows(p.dtype),
                  .key_rows = tier.key_rows(p.dtype),
                  .chunk_rows = tier.chunk_rows(p.dtype)};
  const std::int64_t chunks = pieces(p.Lk, plan.chunk_rows),
                     blocks = p.B * p.H * pieces(p.Lq, plan.query_rows);
  const bool by_chunk = chunks > 1 && blocks < 4 * threads;
  plan.forward_tasks = plan.few_rows ? heads * chunks : by_chunk ? blocks * chunks : blocks;
  plan.backward_tasks = heads * cut.tasks();
  const auto bytes = [&](std::int64_t tasks, std::size_t each) {
    return static_cast<std::size_t>(std::min(tasks, threads)) * each;
  };
  const std::size_t keys = static_cast<std::size_t>(heads * p.Lk) * tier.prepared_bytes(p),
                    element = size_of(p.dtype);
  const std::int64_t parts = plan.few_rows ? heads * chunks * kFewRows
                             : by_chunk    ? blocks * chunks * plan.query_rows
                                           : 0;
  plan.forward_bytes =
      bytes(plan.forward_tasks, plan.few_rows ? tier.decode_scratch(p) : tier.forward_scratch(p)) + keys +
      static_cast<std::size_t>(parts * (p.Dv + 2)) * element;
  plan.backward_bytes =
      bytes(plan.backward_tasks, tier.backward_scratch(p)) + keys +
      static_cast<std::size_t>(cut.partial_elements(p, std::min(heads, cut.heads_at_once(threads)))) *
          element;
  return plan;
}

void attend_backward(const AttendBackward& f) {
  const AttendProblem& p = f.problem;
  if (p.B * p.H * p.Lq * p.Lk == 0) return;
  visit_floating(p.dtype, [&](auto zero) { Backward<decltype(zero)>(f).run(); });
}

bool can_attend_backward(const AttendBackward& f) noexcept {
  const AttendProblem& p = f.problem;
  std::atomic<bool> finite{true};
  parallel_for(p.B * p.H * p.Lq, (1 << 16) / (p.Dv + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
    if (!active_tier().finite(p, f.grad_out, begin, end)) finite = false;
  });
  return finite;
}

}  // namespace heed::kernels::cpu
