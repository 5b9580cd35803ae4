#include "core/parallel.h"
#include "kernels/cpu/attention/tier.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>

namespace heed::kernels::cpu {

void project_rows(const ProjectRowsParams& p) {
  const AttentionTier& tier = active_tier();
  // Tiles of six rows, up to 32 of them at a time, so that rows of w and results are used while they are near; a few at least
  // where w comes from far away.
  constexpr std::int64_t kTile = 6, kMostTiles = 32, kLeastWork = 1 << 17, kNear = 1 << 17, kFew = 3;
  const std::int64_t tiles = (p.rows + kTile - 1) / kTile, size = p.in * p.out,
                     worthwhile = kLeastWork / std::max<std::int64_t>(1, kTile * size) + 1,
                     least = std::max(worthwhile, size > kNear ? kFew : 1);
  parallel_runs(
      tiles, {.least = least, .most = kMostTiles}, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
        for (std::int64_t tile = begin; tile < end; tile += kMostTiles) {
          tier.project_rows(p, tile * kTile, std::min(p.rows, std::min(end, tile + kMostTiles) * kTile));
        }
      });
}

}  // namespace heed::kernels::cpu
