// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AVX-512: 32 registers. 16 chains cover a latency of 4 on two ports twice over.
#if defined(__AVX512F__)
#define HEED_PROBE_TIER probe_avx512
#define HEED_VECTOR_BYTES 64
#define HEED_CHAINS 16
#define HEED_TILE_ROWS 8
#define HEED_TILE_VECTORS 3
#include "tier-inl.h"

namespace heed::bench {

extern const ProbeTier kProbesAvx512;
const ProbeTier kProbesAvx512 = probe_avx512::make("avx512");

}  // namespace heed::bench
#endif
