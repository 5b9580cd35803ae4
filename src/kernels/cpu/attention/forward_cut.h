// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How the forward is cut into tasks: query blocks, or chunks of keys for query blocks where there are too few of those. A row's
// bits are the same whichever way, so this may depend on the number of threads.
#pragma once

#include "kernels/cpu/attention/workspace.h"

namespace heed::kernels::cpu {

struct ForwardCut {
  std::int64_t rows;    ///< of a query block
  std::int64_t blocks;  ///< of a head
  std::int64_t chunks;
  bool by_chunk;
  std::int64_t whole, halved;  ///< blocks; those after them are quartered
  std::int64_t tasks;          ///< blocks and parts of blocks; by chunk: blocks

  ForwardCut(const AttendProblem& p, const AttentionTier& tier, std::int64_t threads)
      : rows(tier.query_rows(p.dtype)), chunks(pieces(p.Lk, tier.chunk_rows(p.dtype))) {
    const auto all = [&] { return p.B * p.H * pieces(p.Lq, rows); };
    // An additive score takes the vectors of a block one by one: smaller blocks cost it next to nothing.
    const std::int64_t least = p.score == ScoreKind::kAdditive && threads > 1 ? rows / 4 : rows;
    while (rows > least && all() < 8 * threads) rows /= 2;
    blocks = pieces(p.Lq, rows);
    // Chunks have memory of their own: many of them only where there would be too few tasks otherwise. A few keep a worker to keys
    // and values that fit its cache.
    constexpr std::int64_t kFewChunks = 4;
    by_chunk = threads > 1 && chunks > 1 && all() < (chunks <= kFewChunks ? 16 : 4) * threads;
    // The last ones are halved, and the very last quartered, so that everybody has something to do to the end. No more of them
    // than that: a half takes 1.07 times its share on Intel, a quarter 1.27 times.
    const bool parts = threads > 1 && !by_chunk && rows == tier.query_rows(p.dtype);
    const std::int64_t cut = parts ? std::min(threads, all()) : 0, quartered = cut / 4;
    whole = all() - cut;
    halved = cut - quartered;
    tasks = whole + 2 * halved + 4 * quartered;
  }

  /// Which block a task is about, and which rows of it: the last rows of a head may be fewer.
  struct Part {
    std::int64_t block, begin, end;
  };
  Part part(std::int64_t task) const {
    if (task < whole) return {task, 0, rows};
    task -= whole;
    const bool half = task < 2 * halved;
    const std::int64_t parts = half ? 2 : 4, first = half ? whole : whole + halved;
    if (!half) task -= 2 * halved;
    return {first + task / parts, task % parts * rows / parts, (task % parts + 1) * rows / parts};
  }
};

}  // namespace heed::kernels::cpu
