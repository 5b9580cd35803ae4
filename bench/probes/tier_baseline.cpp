// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The tier every CPU of the architecture has. On x86-64 that is SSE2, where a multiply-add is two instructions and needs
// a register more, hence the smaller tile.
#define HEED_PROBE_TIER probe_baseline
#define HEED_VECTOR_BYTES 16
#define HEED_CHAINS 14
#define HEED_TILE_ROWS 4
#define HEED_TILE_VECTORS 2
#include "tier-inl.h"

namespace heed::bench {

extern const ProbeTier kProbesBaseline;
const ProbeTier kProbesBaseline = probe_baseline::make("baseline");

}  // namespace heed::bench
