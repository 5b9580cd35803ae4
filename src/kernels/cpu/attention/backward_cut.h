// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How the backward is cut into tasks: by the score and the shape of a head's problem alone, so that its sums have one order.
// Within a task, sums over keys and over queries go block by block in order: into how many pieces it is cut does not show.
#pragma once

#include "kernels/cpu/attention/workspace.h"

#include <limits>

namespace heed::kernels::cpu {

/// At most this many chunks of keys and spans of queries per head: enough for many cores. So many partial sums there are of
/// the gradients of the heads under way.
inline constexpr std::int64_t kMostChunks = 8, kMostSpans = 8;
/// Below these, packing rows anew for every piece and adding up partial sums would cost more than another core gains. A few
/// spans may be smaller: without them there would be too little to share out.
inline constexpr std::int64_t kSmallestChunk = 512, kSmallestSpan = 512;
inline constexpr std::int64_t kFewSpans = 4, kSmallestOfFewSpans = 256;
/// An additive score's pairs are several times the work, and so are worth more cores. Pieces of a task hand their sums over for
/// next to nothing then: chunks are for few queries of many keys.
inline constexpr std::int64_t kSmallestAdditiveSpan = 128, kSmallestAdditiveChunk = 1024;
/// Keys of a chunk are a multiple of this, and not of a key block: chunks of equal size keep all cores busy to the end.
inline constexpr std::int64_t kChunkGrain = 64;

/// A range cut into `count` pieces, as equal as multiples of `grain` can be.
struct Cut {
  std::int64_t size, grain, count;
  Cut(std::int64_t whole, std::int64_t most, std::int64_t least)
      : size(whole), grain(least), count(std::min(std::max<std::int64_t>(most, 1), grains())) {}
  /// A range in one piece is spared the divisions: a thousand heads of a few pairs each are a thousand tasks.
  std::int64_t begin(std::int64_t n) const {
    if (count == 1) return n == 0 ? 0 : size;
    return std::min(size, n * grains() / count * grain);
  }
  std::int64_t end(std::int64_t n) const { return begin(n + 1); }

 private:
  std::int64_t grains() const { return std::max<std::int64_t>(1, pieces(size, grain)); }
};

/// How the backward of one key-value head is cut.
struct BackwardCut {
  Cut chunks, spans;
  std::int64_t group, query_rows, key_rows;

  BackwardCut(const AttendProblem& p, const AttentionTier& tier)
      : chunks(p.Lk, most_chunks(p), kChunkGrain),
        spans(p.Lq, most_spans(p), tier.query_rows(p.dtype)),
        group(p.Hkv > 0 ? p.H / p.Hkv : 0),
        query_rows(tier.query_rows(p.dtype)),
        key_rows(tier.key_rows(p.dtype)) {}

  std::int64_t tasks() const { return chunks.count * spans.count; }
  /// Query blocks of a span, of all heads of the group; key blocks of a chunk.
  std::int64_t rows(std::int64_t span) const {
    return group * pieces(spans.end(span) - spans.begin(span), query_rows);
  }
  std::int64_t blocks(std::int64_t chunk) const {
    return pieces(chunks.end(chunk) - chunks.begin(chunk), key_rows);
  }
  /// None has more.
  std::int64_t most_rows() const {
    return group * pieces(pieces(pieces(spans.size, spans.grain), spans.count) * spans.grain, query_rows);
  }
  std::int64_t most_blocks() const {
    return pieces(pieces(pieces(chunks.size, chunks.grain), chunks.count) * chunks.grain, key_rows);
  }
  /// So many that all threads have tasks, and one more where its partial sums are not large, so that they have them also while
  /// the last ones of a head are computed and added. One thread has them anyway.
  std::int64_t heads_at_once(const AttendProblem& p, std::int64_t threads) const {
    const std::int64_t heads = p.B * p.Hkv;
    if (tasks() == 1) return heads;  // there are no partial sums that would need a place
    if (threads == 1) return std::min<std::int64_t>(heads, 1);
    constexpr std::int64_t kManyElements = 1 << 23;
    const std::int64_t run = worthwhile_runs(p, heads * tasks()).least,
                       spare = partial_elements(p, 1) <= kManyElements ? 1 : 0;
    return std::min(heads, pieces(2 * threads * run, tasks()) + spare);
  }
  /// What partial sums of so many heads take.
  std::int64_t partial_elements(const AttendProblem& p, std::int64_t heads) const {
    return heads * ((chunks.count - 1) * group * p.Lq * p.D + (spans.count - 1) * p.Lk * (p.D + p.Dv));
  }

 private:
  /// By the keys alone: a query's gradient is summed over chunks, and must not depend on how many other queries there are.
  static std::int64_t most_chunks(const AttendProblem& p) {
    const std::int64_t smallest = p.score == ScoreKind::kAdditive ? kSmallestAdditiveChunk : kSmallestChunk;
    return std::clamp<std::int64_t>(p.Lk / smallest, 1, kMostChunks);
  }
  static std::int64_t most_spans(const AttendProblem& p) {
    // Half as many where there are chunks too: partial sums of both would take more memory than we promise.
    if (p.score == ScoreKind::kAdditive) {
      return std::clamp<std::int64_t>(p.Lq / kSmallestAdditiveSpan, 1,
                                      most_chunks(p) > 1 ? kMostSpans / 2 : kMostSpans);
    }
    const std::int64_t few = std::min(p.Lq / kSmallestOfFewSpans, kFewSpans);
    return std::clamp<std::int64_t>(p.Lq / kSmallestSpan, std::max<std::int64_t>(few, 1), kMostSpans);
  }
};

/// Into how many pieces a task is cut: query blocks into `rows` parts, key blocks into `columns`. A piece comes after those left
/// of it and above it, so `columns` is how many can be under way at a time; but each of them packs the queries anew.
struct BackwardPieces {
  std::int64_t rows = 1, columns = 1;

  BackwardPieces() = default;
  BackwardPieces(const AttendProblem& p, const BackwardCut& cut, std::int64_t heads_at_once,
                 std::int64_t threads) {
    const std::int64_t tasks = heads_at_once * cut.tasks(),
                       most = work_of(p) / kLeastTask / std::max<std::int64_t>(p.B * p.Hkv * cut.tasks(), 1);
    if (most <= 1) return;
    /// Keys, values and their gradients of so many key blocks stay in the second-level cache.
    constexpr std::int64_t kNear = 3, kFew = 2, kUnderWay = 3, kPerThread = 64;
    columns = pieces(cut.most_blocks(), kNear);
    if (threads == 1) return;
    if (tasks < kFew * threads)
      columns = std::clamp(pieces(kUnderWay * threads, tasks), columns, cut.most_blocks());
    columns = std::min(columns, most);
    rows = std::min({pieces(kPerThread * threads, tasks * columns), cut.most_rows(), most / columns});
  }

  std::int64_t count() const { return rows * columns; }

  /// Query blocks and key blocks of the n-th piece of a task. A task of one piece is spared the divisions too.
  struct Piece {
    std::int64_t row_begin, row_end, block_begin, block_end;
  };
  Piece piece(const BackwardCut& cut, std::int64_t chunk, std::int64_t span, std::int64_t n) const {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    if (count() == 1) return {0, kAll, 0, kAll};
    const std::int64_t of_rows = cut.rows(span), of_blocks = cut.blocks(chunk), row = n / columns,
                       column = n % columns;
    return {row * of_rows / rows, (row + 1) * of_rows / rows, column * of_blocks / columns,
            (column + 1) * of_blocks / columns};
  }
};

}  // namespace heed::kernels::cpu
