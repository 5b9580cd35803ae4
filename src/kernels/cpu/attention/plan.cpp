// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/cpu/attention/backward_cut.h"
#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/attention/few_rows.h"
#include "kernels/cpu/attention/forward_cut.h"

namespace heed::kernels::cpu {

AttendPlan attend_plan(const AttendProblem& p) {
  const AttentionTier& tier = active_tier();
  const BackwardCut cut(p, tier);
  const std::int64_t threads = usable_threads(), heads = p.B * p.Hkv;
  const ForwardCut forward(p, tier, threads);
  AttendPlan plan{.tier = tier.name,
                  .few_rows = !why_not_few_rows(p),
                  .why_not_few_rows = why_not_few_rows(p),
                  .query_rows = forward.rows,
                  .key_rows = tier.key_rows(p.dtype),
                  .chunk_rows = tier.chunk_rows(p.dtype)};
  if (plan.few_rows) {
    plan.query_rows = kFewRows;
    plan.key_rows = kFewRowsRun;
    plan.chunk_rows = few_rows_chunk(p);
  }
  const std::int64_t chunks = plan.few_rows ? few_rows_chunks(p) : forward.chunks,
                     blocks = p.B * p.H * forward.blocks;
  plan.forward_tasks = plan.few_rows ? heads * chunks : forward.by_chunk ? blocks * chunks : forward.tasks;
  const std::int64_t at_once = cut.heads_at_once(p, threads);
  const BackwardPieces parts_of_task =
      plan.few_rows ? BackwardPieces() : BackwardPieces(p, cut, at_once, threads);
  plan.backward_tasks = heads * cut.tasks() * parts_of_task.count();
  const std::size_t keys = static_cast<std::size_t>(heads * p.Lk) * tier.prepared_bytes(p),
                    parts = plan.few_rows ? ForwardParts::bytes(p, kFewRows, heads, chunks)
                            : forward.by_chunk
                                ? ForwardParts::bytes(p, tier.query_rows(p.dtype), blocks, chunks)
                                : 0;
  plan.forward_bytes =
      Scratches::bytes(plan.forward_tasks, plan.few_rows ? tier.decode_scratch(p) : tier.forward_scratch(p)) +
      keys + parts;
  const std::int64_t blocks_of_task = plan.few_rows ? 1 : cut.most_blocks(),
                     score_weights = p.score_weights ? heads * cut.tasks() * blocks_of_task * p.D : 0;
  plan.backward_bytes =
      Scratches::bytes(plan.backward_tasks, tier.backward_scratch(p)) + keys +
      static_cast<std::size_t>(cut.partial_elements(p, at_once) + score_weights) * size_of(p.dtype);
  return plan;
}

}  // namespace heed::kernels::cpu
