// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/parallel_shares.h"
#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/attention/few_rows.h"
#include "kernels/cpu/attention/forward_cut.h"

namespace heed::kernels::cpu {
namespace {

/// Few query blocks against many keys: workers share out the chunks of keys, and whoever finishes a block's last one puts them
/// together. To the same bits as block by block.
template <class BlockOf>
void forward_by_chunk(const AttendForward& f, const AttentionTier& tier, const void* prepared,
                      std::int64_t tasks, std::int64_t chunks, const BlockOf& block_of) {
  const AttendProblem& p = f.problem;
  ForwardParts parts(p, tier.query_rows(p.dtype), tasks, chunks);
  const Scratches scratches(tasks * chunks, tier.forward_scratch(p));
  // Chunk by chunk, so that a worker keeps to its keys and values.
  parallel_shared_tasks({tasks * chunks}, {}, [&](std::int64_t n, std::int64_t worker) {
    const std::int64_t task = n % tasks, chunk = n / tasks;
    tier.forward_chunk(f, prepared, block_of(task), chunk, *parts.of(task, chunk), scratches.of(worker));
    if (parts.was_last(task))
      tier.forward_merge(f, prepared, block_of(task), parts.of(task), chunks, scratches.of(worker));
  });
}

}  // namespace

void attend_forward(const AttendForward& f) {
  const AttendProblem& p = f.problem;
  const AttentionTier& tier = active_tier();
  const int threads = usable_threads();
  const ForwardCut cut(p, tier, threads);
  const std::int64_t blocks = p.B * p.H * cut.blocks;
  if (blocks == 0) return;
  if (!why_not_few_rows(p)) {
    attend_few_rows(f, tier);
    return;
  }
  // Late query blocks first: under a causal mask they are the long ones, and should not be what everyone waits for. Where
  // threads have few blocks each, those of all heads come first; else head by head, which keeps keys and values near.
  const bool across_heads = p.mask.high < p.Lk && threads > 1 && blocks < 16 * threads;
  const auto block_of = [&](const ForwardCut::Part& part) {
    const std::int64_t head = across_heads ? part.block % (p.B * p.H) : part.block / cut.blocks;
    const std::int64_t n = across_heads ? part.block / (p.B * p.H) : part.block % cut.blocks,
                       first = (cut.blocks - 1 - n) * cut.rows, i = first + part.begin;
    return QueryBlock{head / p.H, head % p.H, i, static_cast<int>(std::min(first + part.end, p.Lq) - i)};
  };
  const PreparedKeys prepared(p, tier);
  if (cut.by_chunk) {
    forward_by_chunk(f, tier, prepared.data(), blocks, cut.chunks,
                     [&](std::int64_t task) { return block_of(cut.part(task)); });
    return;
  }
  const Scratches scratches(cut.tasks, tier.forward_scratch(p));
  const auto run = [&](std::int64_t task, std::int64_t worker) {
    const QueryBlock block = block_of(cut.part(task));
    if (block.count > 0) tier.forward(f, prepared.data(), block, scratches.of(worker));
  };
  const Runs runs = worthwhile_runs(p, cut.tasks);
  if (across_heads) return parallel_tasks(cut.tasks, runs, run);
  parallel_shared_tasks({.shared = cut.whole, .in_order = cut.tasks - cut.whole}, runs, run);
}

}  // namespace heed::kernels::cpu
