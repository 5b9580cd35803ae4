// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/attention/workspace.h"

namespace heed::kernels::cpu {
namespace {

/// Chosen rows [first, first + count) that follow one another in the problem too, and so make a query block.
struct Run {
  std::int64_t first;
  int count;
};

std::int64_t cut_into_runs(const AttendWeights& f, int most, Run* runs) {
  std::int64_t count = 0;
  for (std::int64_t r = 0; r < f.row_count; ++r) {
    const bool follows = r > 0 && f.rows[r] == f.rows[r - 1] + 1 && runs[count - 1].count < most;
    if (follows) {
      ++runs[count - 1].count;
    } else {
      runs[count++] = {r, 1};
    }
  }
  return count;
}

}  // namespace

void attend_weights(const AttendWeights& f) {
  const AttendProblem& p = f.problem;
  if (p.B * f.head_count * f.row_count * p.Lk == 0) return;
  const AttentionTier& tier = active_tier();
  const detail::Workspace<Run> runs(static_cast<std::size_t>(f.row_count));
  const std::int64_t count = cut_into_runs(f, tier.query_rows(p.dtype), runs.data());
  const PreparedKeys prepared(p, tier);
  const std::int64_t tasks = p.B * f.head_count * count;
  const Scratches scratches(tasks, tier.weights_scratch(p));
  const std::int64_t row_bytes = p.Lk * static_cast<std::int64_t>(size_of(p.dtype));
  parallel_tasks(tasks, [&](std::int64_t task, std::int64_t worker) {
    const std::int64_t head = task / count, b = head / f.head_count;
    const Run& run = runs[task % count];
    tier.weights(f, prepared.data(), {b, f.heads[head % f.head_count], f.rows[run.first], run.count},
                 static_cast<std::byte*>(f.out) + (head * f.row_count + run.first) * row_bytes,
                 scratches.of(worker));
  });
}

}  // namespace heed::kernels::cpu
