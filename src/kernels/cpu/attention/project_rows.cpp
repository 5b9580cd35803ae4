#include "core/parallel.h"
#include "kernels/cpu/attention/tier.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>

namespace heed::kernels::cpu {

void project_rows(const ProjectRowsParams& p) noexcept {
  const AttentionTier& tier = active_tier();
  const std::int64_t grain = (1 << 16) / std::max<std::int64_t>(1, p.in * p.out) + 1;
  parallel_for(p.rows, grain, [&](std::int64_t begin, std::int64_t end) { tier.project_rows(p, begin, end); });
}

}  // namespace heed::kernels::cpu
