// The tier every CPU of the architecture has: SSE2 on x86-64, NEON on AArch64.
#define HEED_TIER tier_baseline
#include "kernels/cpu/attention/tier-inl.h"

namespace heed::kernels::cpu {

extern const AttentionTier kTier_baseline;
const AttentionTier kTier_baseline{
    .name = "baseline",
    .supported = []() noexcept -> bool { return true; },
    .query_rows = tier_baseline::query_rows,
    .key_rows = tier_baseline::key_rows,
    .forward_scratch = tier_baseline::forward_scratch,
    .forward = tier_baseline::forward,
    .backward_scratch = tier_baseline::backward_scratch,
    .backward = tier_baseline::backward,
};

}  // namespace heed::kernels::cpu
