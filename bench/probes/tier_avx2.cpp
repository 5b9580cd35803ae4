// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AVX2 with FMA: 16 registers, so 14 chains beside the constant; a latency of 5 on two ports needs 10.
#if defined(__AVX2__)
#define HEED_PROBE_TIER probe_avx2
#define HEED_VECTOR_BYTES 32
#define HEED_CHAINS 14
#define HEED_TILE_ROWS 6
#define HEED_TILE_VECTORS 2
#include "tier-inl.h"

namespace heed::bench {

extern const ProbeTier kProbesAvx2;
const ProbeTier kProbesAvx2 = probe_avx2::make("avx2");

}  // namespace heed::bench
#endif
