#include "tier.h"

#include <heed/runtime.h>

#include <string>

namespace heed::bench {

#if defined(__x86_64__)
extern const ProbeTier kProbes_avx512, kProbes_avx2;
#endif
extern const ProbeTier kProbes_baseline;

const ProbeTier& probe_tier() {
#if defined(__x86_64__)
  const std::string name = simd_tier();
  if (name == kProbes_avx512.name) return kProbes_avx512;
  if (name == kProbes_avx2.name) return kProbes_avx2;
#endif
  return kProbes_baseline;
}

}  // namespace heed::bench
