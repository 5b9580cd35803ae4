#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/attention/few_rows.h"
#include "kernels/cpu/attention/forward_cut.h"

#include <atomic>
#include <vector>

namespace heed::kernels::cpu {
namespace {

/// Few query blocks against many keys: workers share out the chunks of keys, and whoever finishes a block's last one puts them
/// together. To the same bits as block by block.
template <class BlockOf>
void forward_by_chunk(const AttendForward& f, const AttentionTier& tier, const void* prepared,
                      std::int64_t tasks, std::int64_t chunks, const BlockOf& block_of) {
  const AttendProblem& p = f.problem;
  const ForwardParts parts(p, tier.query_rows(p.dtype), tasks, chunks);
  const Scratches scratches(tasks * chunks, tier.forward_scratch(p));
  std::vector<std::atomic<std::int64_t>> done(static_cast<std::size_t>(tasks));
  parallel_tasks(tasks * chunks, [&](std::int64_t n, std::int64_t worker) {
    const std::int64_t task = n / chunks, chunk = n % chunks;
    tier.forward_chunk(f, prepared, block_of(task), chunk, *parts.of(task, chunk), scratches.of(worker));
    if (done[static_cast<std::size_t>(task)].fetch_add(1, std::memory_order_acq_rel) + 1 == chunks)
      tier.forward_merge(f, block_of(task), parts.of(task), chunks, scratches.of(worker));
  });
}

}  // namespace

void attend_forward(const AttendForward& f) {
  const AttendProblem& p = f.problem;
  const AttentionTier& tier = active_tier();
  const int threads = usable_threads();
  const ForwardCut cut(p, tier, threads);
  const std::int64_t tasks = p.B * p.H * cut.blocks;
  if (tasks == 0) return;
  if (!why_not_few_rows(p)) {
    attend_few_rows(f, tier);
    return;
  }
  // Late query blocks first: under a causal mask they are the long ones, and should not be what everyone waits for. Where
  // threads have few blocks each, those of all heads come first; else head by head, which keeps keys and values near.
  const bool across_heads = p.mask.high < p.Lk && threads > 1 && tasks < 16 * threads;
  const auto block_of = [&](std::int64_t task) {
    const std::int64_t head = across_heads ? task % (p.B * p.H) : task / cut.blocks;
    const std::int64_t n = across_heads ? task / (p.B * p.H) : task % cut.blocks,
                       i = (cut.blocks - 1 - n) * cut.rows;
    return QueryBlock{head / p.H, head % p.H, i, static_cast<int>(std::min(cut.rows, p.Lq - i))};
  };
  const PreparedKeys prepared(p, tier);
  if (cut.by_chunk) {
    forward_by_chunk(f, tier, prepared.data(), tasks, cut.chunks, block_of);
    return;
  }
  const Scratches scratches(tasks, tier.forward_scratch(p));
  // A worker keeps to one head where there are enough of them, and so to its keys and values.
  Runs runs = worthwhile_runs(p, tasks);
  runs.most = std::clamp<std::int64_t>(tasks / (8 * threads), 1, cut.blocks);
  parallel_tasks(tasks, runs, [&](std::int64_t task, std::int64_t worker) {
    tier.forward(f, prepared.data(), block_of(task), scratches.of(worker));
  });
}

}  // namespace heed::kernels::cpu
