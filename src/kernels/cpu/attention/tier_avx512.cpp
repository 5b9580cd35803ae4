// AVX-512 F, DQ, BW, VL. Compiled with those flags, run only where the CPU has them.
#if defined(__AVX512F__)
#define HEED_TIER tier_avx512
#include "kernels/cpu/attention/tier-inl.h"

namespace heed::kernels::cpu {

extern const AttentionTier kTier_avx512;
const AttentionTier kTier_avx512{
    .name = "avx512",
    .supported = []() noexcept -> bool {
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    },
    .query_rows = tier_avx512::query_rows,
    .key_rows = tier_avx512::key_rows,
    .forward_scratch = tier_avx512::forward_scratch,
    .forward = tier_avx512::forward,
    .backward_scratch = tier_avx512::backward_scratch,
    .backward = tier_avx512::backward,
};

}  // namespace heed::kernels::cpu
#endif
