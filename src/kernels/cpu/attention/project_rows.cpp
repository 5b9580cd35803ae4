// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

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

/// Panels of the matrix, each transposed for all rows, or for shares of them where there are too few panels to go round. Up to
/// four panels go together where there are enough: rows that do not fit the second-level cache are then read once for all of them.
void by_panels(const ProjectRowsParams& p, const AttentionTier& tier) {
  const std::int64_t width = kPanelRowBytes / static_cast<std::int64_t>(size_of(p.dtype)),
                     panels = pieces(p.out, width), threads = usable_threads();
  // Transposing a panel takes as long as six rows: a share has at least kFewest. At most kMost, or nobody could interrupt the call
  // for long.
  constexpr std::int64_t kFewest = 8 * kTile, kMost = 2048 * kTile, kWidest = 4;
  const std::int64_t wanted = threads == 1 ? 1 : 4 * threads,
                     shares = std::clamp<std::int64_t>(pieces(wanted, panels), 1, pieces(p.rows, kFewest)),
                     band = std::clamp<std::int64_t>(panels * shares / wanted, 1, kWidest),
                     bands = pieces(panels, band);
  const std::int64_t share = std::min(pieces(pieces(p.rows, shares), kTile) * kTile, kMost),
                     tasks = bands * pieces(p.rows, share);
  const Scratches scratches(tasks, static_cast<std::size_t>(band * kProjectDepth * kPanelRowBytes));
  const Runs runs{.least = kLeastWork / std::max<std::int64_t>(1, share * p.in * band * width) + 1};
  parallel_shared_tasks({tasks}, runs, [&](std::int64_t task, std::int64_t worker) {
    const std::int64_t row = task / bands * share, out = task % bands * band * width;
    tier.project_rows(p, {row, std::min(p.rows, row + share), out, std::min(p.out, out + band * width)},
                      scratches.of(worker));
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
    return with_checkpoint([&](Checkpoint& checkpoint) {
      parallel_shared_runs({tiles}, {.least = least, .most = kMost},
                           [&](std::int64_t begin, std::int64_t end, std::int64_t worker) {
                             for (std::int64_t tile = begin; tile < end && checkpoint.pass(worker);
                                  tile += kMost)
                               run(tile, std::min(end, tile + kMost), 0, p.out);
                           });
    });
  }
  const std::int64_t most = std::max<std::int64_t>(1, least * kTile * size / (2 * kLeastWork)),
                     width = pieces(pieces(p.out, kBand), std::min(pieces(wanted, groups), most)) * kBand;
  parallel_shared_tasks({groups * pieces(p.out, width)}, {}, [&](std::int64_t task, std::int64_t) {
    const std::int64_t tile = task % groups * least;
    run(tile, std::min(tiles, tile + least), task / groups * width, width);
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
