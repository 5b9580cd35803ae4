#include "core/parallel_shares.h"
#include "kernels/cpu/attention/workspace.h"
#include "kernels/cpu/cpu_kernels.h"

namespace heed::kernels::cpu {
namespace {

constexpr std::int64_t kTile = 6, kLeastWork = 1 << 16;
/// Up to so many have their sums in registers while a matrix that lies the other way round goes by.
constexpr std::int64_t kRowsInRegisters = 8;

/// Outputs, a band at a time, of all rows: the matrix is read once.
void by_outputs(const ProjectRowsParams& p, const AttentionTier& tier) {
  // Bands as wide as a tile where there are enough of them to go round.
  constexpr std::int64_t kNarrow = 16, kWide = 64;
  const std::int64_t band = p.out / kWide >= 2 * usable_threads() ? kWide : kNarrow,
                     work = std::max<std::int64_t>(1, p.rows * p.in * band);
  parallel_for(pieces(p.out, band), kLeastWork / work + 1, [&](std::int64_t begin, std::int64_t end) {
    tier.project_rows(p, {0, p.rows, begin * band, std::min(p.out, end * band)}, nullptr);
  });
}

/// Panels of the matrix, each transposed for all rows, or for shares of them where there are too few panels to go round.
void by_panels(const ProjectRowsParams& p, const AttentionTier& tier) {
  const std::int64_t width = kPanelRowBytes / static_cast<std::int64_t>(size_of(p.dtype)),
                     panels = pieces(p.out, width), threads = usable_threads();
  // Transposing a panel takes as long as six rows.
  constexpr std::int64_t kFewest = 8 * kTile;
  const std::int64_t shares =
      threads == 1 ? 1 : std::clamp<std::int64_t>(pieces(4 * threads, panels), 1, pieces(p.rows, kFewest));
  const std::int64_t share = pieces(pieces(p.rows, shares), kTile) * kTile,
                     tasks = panels * pieces(p.rows, share);
  const Scratches scratches(tasks, static_cast<std::size_t>(kProjectDepth * kPanelRowBytes));
  const Runs runs{.least = kLeastWork / std::max<std::int64_t>(1, share * p.in * width) + 1};
  parallel_shared_runs({tasks}, runs, [&](std::int64_t begin, std::int64_t end, std::int64_t worker) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t row = task / panels * share, out = task % panels * width;
      tier.project_rows(p, {row, std::min(p.rows, row + share), out, std::min(p.out, out + width)},
                        scratches.of(worker));
    }
  });
}

/// Up to 32 tiles at a time, so that rows of w and results are used while they are near. Where w comes from far away, as the
/// gradients of all rows do for weights' gradients, some tiles at least, for each task reads all of it. Where that leaves too few
/// tasks to go round, each is cut into bands of outputs.
void by_tiles(const ProjectRowsParams& p, const AttentionTier& tier) {
  constexpr std::int64_t kMost = 32, kFew = 6, kFar = 1 << 17, kBand = 64, kTasksPerThread = 2;
  const std::int64_t size = std::max<std::int64_t>(1, p.in * p.out), tiles = pieces(p.rows, kTile),
                     least = std::max(2 * kLeastWork / (kTile * size) + 1, size > kFar ? kFew : 1),
                     groups = pieces(tiles, least), wanted = kTasksPerThread * usable_threads();
  const auto run = [&](std::int64_t begin, std::int64_t end, std::int64_t out, std::int64_t width) {
    tier.project_rows(p, {begin * kTile, std::min(p.rows, end * kTile), out, std::min(p.out, out + width)},
                      nullptr);
  };
  if (groups >= wanted || usable_threads() == 1 || p.out <= kBand) {
    parallel_shared_runs({tiles}, {.least = least, .most = kMost},
                         [&](std::int64_t begin, std::int64_t end, std::int64_t) {
                           for (std::int64_t tile = begin; tile < end; tile += kMost)
                             run(tile, std::min(end, tile + kMost), 0, p.out);
                         });
    return;
  }
  const std::int64_t most = std::max<std::int64_t>(1, least * kTile * size / (2 * kLeastWork)),
                     width = pieces(pieces(p.out, kBand), std::min(pieces(wanted, groups), most)) * kBand;
  parallel_shared_runs({groups * pieces(p.out, width)}, {},
                       [&](std::int64_t begin, std::int64_t end, std::int64_t) {
                         for (std::int64_t task = begin; task < end; ++task) {
                           const std::int64_t tile = task % groups * least;
                           run(tile, std::min(tiles, tile + least), task / groups * width, width);
                         }
                       });
}

}  // namespace

void project_rows(const ProjectRowsParams& p) {
  const AttentionTier& tier = active_tier();
  if (p.rows <= kRowsInRegisters) return by_outputs(p, tier);
  if (p.w_out != 1) return by_panels(p, tier);
  by_tiles(p, tier);
}

}  // namespace heed::kernels::cpu
