// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "tier.h"

#include <heed/runtime.h>

#include <string>

namespace heed::bench {

#if defined(__x86_64__)
extern const ProbeTier kProbesAvx512, kProbesAvx2;
#endif
extern const ProbeTier kProbesBaseline;

const ProbeTier& probe_tier() {
#if defined(__x86_64__)
  const std::string name = simd_tier();
  if (name == kProbesAvx512.name) return kProbesAvx512;
  if (name == kProbesAvx2.name) return kProbesAvx2;
#endif
  return kProbesBaseline;
}

}  // namespace heed::bench
