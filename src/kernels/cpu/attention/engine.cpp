#include "kernels/cpu/attention/engine.h"

#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "core/storage.h"
#include "kernels/cpu/attention/tier.h"

#include <algorithm>

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

/// At most this many chunks of keys per head: enough for many cores, few enough that partial sums stay small.
constexpr std::int64_t kMostChunks = 8;

template <class T>
class Backward {
 public:
  explicit Backward(const AttendBackward& f) : f_(f), p_(f.problem), tier_(active_tier()) {
    const std::int64_t block = tier_.key_rows(p_.dtype);
    chunk_keys_ = pieces(pieces(p_.Lk, block), kMostChunks) * block;
    chunks_ = pieces(p_.Lk, chunk_keys_);
    group_ = p_.H / p_.Hkv;
  }

  void run() {
    const std::int64_t heads = p_.B * p_.Hkv;
    const std::int64_t at_once = std::min(heads, heads_at_once());
    const Scratches scratches(at_once * chunks_, tier_.backward_scratch(p_));
    const detail::Workspace<T> queries(static_cast<std::size_t>(at_once * chunks_ * group_ * p_.Lq * p_.D));
    const detail::Workspace<T> weights(static_cast<std::size_t>(at_once * chunks_ * p_.D));
    // Over all heads and chunks in order, however many of them run at once.
    const detail::Workspace<double> weight_sums(static_cast<std::size_t>(p_.D));
    std::fill_n(weight_sums.data(), p_.D, 0.0);
    for (std::int64_t first = 0; first < heads; first += at_once) {
      const std::int64_t count = std::min(at_once, heads - first);
      const auto task = [&](std::int64_t n, std::int64_t worker) {
        const std::int64_t head = first + n / chunks_, begin = n % chunks_ * chunk_keys_;
        const KeyChunk chunk{head / p_.Hkv,
                             head % p_.Hkv,
                             begin,
                             std::min(p_.Lk, begin + chunk_keys_),
                             queries.data() + n * group_ * p_.Lq * p_.D,
                             weights.data() + n * p_.D};
        tier_.backward(f_, chunk, scratches.of(worker));
      };
      if (bias_column_shared()) {
        for (std::int64_t n = 0; n < count * chunks_; ++n) task(n, 0);
      } else {
        parallel_tasks(count * chunks_, task);
      }
      if (f_.grad_queries.data) add_queries(first, count, queries.data());
      for (std::int64_t n = 0; f_.grad_score_weights && n < count * chunks_ * p_.D; ++n)
        weight_sums[n % p_.D] += static_cast<double>(weights[n]);
    }
    T* grad_weights = static_cast<T*>(f_.grad_score_weights);
    for (std::int64_t d = 0; grad_weights && d < p_.D; ++d) grad_weights[d] += static_cast<T>(weight_sums[d]);
  }

 private:
  /// Gradients of a bias that several heads share must be added head by head, in order.
  std::int64_t heads_at_once() const {
    const HeadedMatrix& bias = f_.grad_bias;
    if (bias.data && ((bias.batch == 0 && p_.B > 1) || (bias.head == 0 && p_.H > 1))) return 1;
    return pieces(2 * usable_threads(), chunks_);
  }
  /// A bias that all keys share would be written by every chunk.
  bool bias_column_shared() const { return f_.grad_bias.data && f_.grad_bias.column == 0 && p_.Lk > 1; }

  /// grad_queries += scale * sum of the chunks' parts, in order of chunks.
  void add_queries(std::int64_t first, std::int64_t count, const T* partial) const {
    const T scale = p_.score == ScoreKind::kDot ? static_cast<T>(p_.scale) : T{1};
    const std::int64_t size = group_ * p_.Lq * p_.D;
    parallel_for(count * group_ * p_.Lq, (1 << 14) / (p_.D * chunks_ + 1) + 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t row = begin; row < end; ++row) {
                     const std::int64_t head = first + row / (group_ * p_.Lq), h = row / p_.Lq % group_,
                                        i = row % p_.Lq;
                     const T* part =
                         partial + row / (group_ * p_.Lq) * chunks_ * size + (h * p_.Lq + i) * p_.D;
                     T* out = static_cast<T*>(f_.grad_queries.data) + head / p_.Hkv * f_.grad_queries.batch +
                              (head % p_.Hkv * group_ + h) * f_.grad_queries.head + i * f_.grad_queries.row;
                     for (std::int64_t d = 0; d < p_.D; ++d) {
                       T sum = part[d];
                       for (std::int64_t c = 1; c < chunks_; ++c) sum += part[c * size + d];
                       out[d * f_.grad_queries.column] += scale * sum;
                     }
                   }
                 });
  }

  const AttendBackward& f_;
  const AttendProblem& p_;
  const AttentionTier& tier_;
  std::int64_t chunk_keys_ = 0, chunks_ = 0, group_ = 1;
};

template <class T>
bool all_finite(const HeadedMatrix& m, const AttendProblem& p) {
  bool finite = true;
  for (std::int64_t row = 0; row < p.B * p.H * p.Lq && finite; ++row) {
    const T* x = static_cast<const T*>(m.data) + row / (p.H * p.Lq) * m.batch + row / p.Lq % p.H * m.head +
                 row % p.Lq * m.row;
    T zero = 0;
    for (std::int64_t c = 0; c < p.Dv; ++c) zero += x[c * m.column] * 0;
    finite = zero == 0;
  }
  return finite;
}

}  // namespace

void attend_forward(const AttendForward& f) {
  const AttendProblem& p = f.problem;
  const AttentionTier& tier = active_tier();
  const std::int64_t rows = tier.query_rows(p.dtype);
  const std::int64_t blocks = pieces(p.Lq, rows);
  const std::int64_t tasks = p.B * p.H * blocks;
  const Scratches scratches(tasks, tier.forward_scratch(p));
  parallel_tasks(tasks, [&](std::int64_t task, std::int64_t worker) {
    // Late query blocks first: under a causal mask they are the long ones, and should not be what everyone waits for.
    const std::int64_t i = (blocks - 1 - task % blocks) * rows;
    const std::int64_t head = task / blocks;
    tier.forward(f, {head / p.H, head % p.H, i, static_cast<int>(std::min(rows, p.Lq - i))},
                 scratches.of(worker));
  });
}

void attend_backward(const AttendBackward& f) {
  const AttendProblem& p = f.problem;
  if (p.B * p.H * p.Lq * p.Lk == 0) return;
  visit_floating(p.dtype, [&](auto zero) { Backward<decltype(zero)>(f).run(); });
}

bool can_attend_backward(const AttendBackward& f) noexcept {
  return visit_floating(f.problem.dtype,
                        [&](auto zero) { return all_finite<decltype(zero)>(f.grad_out, f.problem); });
}

}  // namespace heed::kernels::cpu
