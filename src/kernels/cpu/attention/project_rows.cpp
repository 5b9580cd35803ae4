#include "core/parallel.h"
#include "kernels/cpu/attention/tier.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>

namespace heed::kernels::cpu {

void project_rows(const ProjectRowsParams& p) {
  const AttentionTier& tier = active_tier();
  const std::int64_t grain = (1 << 16) / std::max<std::int64_t>(1, p.in * p.out) + 1;
  // A thread's rows in portions, so that their results stay near for the next rows of w.
  constexpr std::int64_t kPortion = 192;
  parallel_for(p.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; row += kPortion) {
      tier.project_rows(p, row, std::min(end, row + kPortion));
    }
  });
}

}  // namespace heed::kernels::cpu
