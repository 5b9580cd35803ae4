// AVX2 with FMA. Compiled with those flags, run only where the CPU has them.
#if defined(__AVX2__)
#define HEED_TIER tier_avx2
#include "kernels/cpu/attention/tier-inl.h"

namespace heed::kernels::cpu {

extern const AttentionTier kTier_avx2;
const AttentionTier kTier_avx2{
    .name = "avx2",
    .supported = []() noexcept -> bool {
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    },
    .query_rows = tier_avx2::query_rows,
    .key_rows = tier_avx2::key_rows,
    .forward_scratch = tier_avx2::forward_scratch,
    .forward = tier_avx2::forward,
    .backward_scratch = tier_avx2::backward_scratch,
    .backward = tier_avx2::backward,
};

}  // namespace heed::kernels::cpu
#endif
