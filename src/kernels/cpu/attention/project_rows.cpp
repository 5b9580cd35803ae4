#include "core/parallel.h"
#include "kernels/cpu/attention/tier.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>

namespace heed::kernels::cpu {

void project_rows(const ProjectRowsParams& p) {
  const AttentionTier& tier = active_tier();
  constexpr std::int64_t kTile = 6, kLeastWork = 1 << 16;
  const std::int64_t tiles = (p.rows + kTile - 1) / kTile, size = std::max<std::int64_t>(1, p.in * p.out);
  if (tiles <= 2 * usable_threads()) {
    // So few that equal shares are better than whole tiles.
    parallel_for(p.rows, kLeastWork / size + 1,
                 [&](std::int64_t begin, std::int64_t end) { tier.project_rows(p, begin, end); });
    return;
  }
  // Up to 32 tiles at a time, so that rows of w and results are used while they are near; a few at least where w comes from far
  // away.
  constexpr std::int64_t kMost = 32, kFew = 3, kFar = 1 << 17;
  const Runs runs{.least = std::max(2 * kLeastWork / (kTile * size) + 1, size > kFar ? kFew : 1),
                  .most = kMost};
  parallel_runs(tiles, runs, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
    for (std::int64_t tile = begin; tile < end; tile += kMost)
      tier.project_rows(p, tile * kTile, std::min(p.rows, std::min(end, tile + kMost) * kTile));
  });
}

}  // namespace heed::kernels::cpu
