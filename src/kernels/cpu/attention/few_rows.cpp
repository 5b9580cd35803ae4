// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/cpu/attention/few_rows.h"

#include "core/dtype_dispatch.h"
#include "core/parallel_shares.h"
#include "kernels/cpu/attention/overflow_watch.h"
#include "kernels/cpu/attention/recover.h"
#include "kernels/cpu/attention/workspace.h"

#include <algorithm>

namespace heed::kernels::cpu {

static_assert(kFewRows == 8, "the reason below names it");

std::int64_t few_rows_chunk(const AttendProblem& p) noexcept {
  constexpr std::int64_t kPieces = 8, kLeast = 4 * kFewRowsRun, kMost = 18 * kFewRowsRun;
  return std::clamp(pieces(p.Lk, kPieces * kFewRowsRun) * kFewRowsRun, kLeast, kMost);
}

std::int64_t few_rows_chunks(const AttendProblem& p) noexcept {
  return std::max<std::int64_t>(1, pieces(p.Lk, few_rows_chunk(p)));
}

const char* why_not_few_rows(const AttendProblem& p) noexcept {
  if (p.score == ScoreKind::kAdditive) return "not for additive scores";
  if (p.H > 0 && p.Lq * (p.H / p.Hkv) > kFewRows) return "more than 8 queries read a key-value head";
  return nullptr;
}

namespace {

/// Those whose scores may be what overflowed. Rows whose sums show it are recovered already.
void recover_rows(const AttendForward& f) {
  const AttendProblem& p = f.problem;
  visit_floating(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t n = 0; n < p.B * p.H * p.Lq; ++n) {
      const RowPlace row{n / (p.H * p.Lq), n / p.Lq % p.H, n % p.Lq};
      if (scores_may_overflow<T>(p, row, 1)) recover_row<T>(f, row, RowState::kNormal);
    }
  });
}

}  // namespace

void attend_few_rows(const AttendForward& f, const AttentionTier& tier) {
  const AttendProblem& p = f.problem;
  const std::int64_t heads = p.B * p.Hkv, size = few_rows_chunk(p), chunks = few_rows_chunks(p);
  ForwardParts parts(p, kFewRows, heads, chunks);
  const Scratches scratches(heads * chunks, tier.decode_scratch(p));
  const Runs runs = worthwhile_runs(p, heads * chunks);
  CallOverflow overflow;
  parallel_shared_tasks({heads * chunks}, runs, [&](std::int64_t n, std::int64_t worker) {
    const std::int64_t head = n / chunks, chunk = n % chunks;
    const HeadRows rows{head / p.Hkv, head % p.Hkv};
    tier.decode_chunk(f, rows, chunk * size, std::min(p.Lk, (chunk + 1) * size), *parts.of(head, chunk),
                      scratches.of(worker));
    if (parts.was_last(head)) tier.decode_merge(f, rows, parts.of(head), chunks, scratches.of(worker));
    overflow.after_task(worker);
  });
  if (overflow.overflowed()) recover_rows(f);
}

}  // namespace heed::kernels::cpu
