#include "kernels/cpu/attention/few_rows.h"

#include "core/parallel_shares.h"
#include "kernels/cpu/attention/workspace.h"

namespace heed::kernels::cpu {

static_assert(kFewRows == 8, "the reason below names it");

const char* why_not_few_rows(const AttendProblem& p) noexcept {
  if (p.score == ScoreKind::kAdditive) return "not for additive scores";
  if (p.H > 0 && p.Lq * (p.H / p.Hkv) > kFewRows) return "more than 8 queries read a key-value head";
  return nullptr;
}

void attend_few_rows(const AttendForward& f, const AttentionTier& tier) {
  const AttendProblem& p = f.problem;
  const std::int64_t heads = p.B * p.Hkv, size = few_rows_chunk(p), chunks = few_rows_chunks(p);
  const ForwardParts parts(p, kFewRows, heads, chunks);
  const Scratches scratches(heads * chunks, tier.decode_scratch(p));
  const Runs runs = worthwhile_runs(p, heads * chunks);
  parallel_shared_tasks({heads * chunks}, runs, [&](std::int64_t n, std::int64_t worker) {
    const std::int64_t head = n / chunks, chunk = n % chunks;
    tier.decode_chunk(f, {head / p.Hkv, head % p.Hkv}, chunk * size, std::min(p.Lk, (chunk + 1) * size),
                      *parts.of(head, chunk), scratches.of(worker));
  });
  parallel_tasks(heads, worthwhile_runs(p, heads), [&](std::int64_t head, std::int64_t worker) {
    tier.decode_merge(f, {head / p.Hkv, head % p.Hkv}, parts.of(head), chunks, scratches.of(worker));
  });
}

}  // namespace heed::kernels::cpu
