// How the backward is cut into tasks: by the score and the shape of a head's problem alone, so that its sums have one order.
#pragma once

#include "kernels/cpu/attention/workspace.h"

namespace heed::kernels::cpu {

/// At most this many chunks of keys and spans of queries per head: enough for many cores. So many partial sums there are of
/// the gradients of the heads under way.
inline constexpr std::int64_t kMostChunks = 8, kMostSpans = 8;
/// Below these, packing rows anew for every piece and adding up partial sums would cost more than another core gains. A few
/// spans may be smaller: without them there would be too little to share out.
inline constexpr std::int64_t kSmallestChunk = 512, kSmallestSpan = 512;
inline constexpr std::int64_t kFewSpans = 4, kSmallestOfFewSpans = 256;
/// An additive score's pairs are several times the work, and so are worth more cores.
inline constexpr std::int64_t kSmallestAdditiveChunk = 256, kSmallestAdditiveSpan = 128;
/// Keys of a chunk are a multiple of this, and not of a key block: chunks of equal size keep all cores busy to the end.
inline constexpr std::int64_t kChunkGrain = 64;

/// A range cut into `count` pieces, as equal as multiples of `grain` can be.
struct Cut {
  std::int64_t size, grain, count;
  Cut(std::int64_t whole, std::int64_t most, std::int64_t least)
      : size(whole), grain(least), count(std::min(std::max<std::int64_t>(most, 1), grains())) {}
  std::int64_t begin(std::int64_t n) const { return std::min(size, n * grains() / count * grain); }
  std::int64_t end(std::int64_t n) const { return begin(n + 1); }

 private:
  std::int64_t grains() const { return std::max<std::int64_t>(1, pieces(size, grain)); }
};

/// How the backward of one key-value head is cut.
struct BackwardCut {
  Cut chunks, spans;

  BackwardCut(const AttendProblem& p, const AttentionTier& tier)
      : chunks(p.Lk, most_chunks(p), kChunkGrain), spans(p.Lq, most_spans(p), tier.query_rows(p.dtype)) {}

  std::int64_t tasks() const { return chunks.count * spans.count; }
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
    const std::int64_t group = p.Hkv > 0 ? p.H / p.Hkv : 0;
    return heads * ((chunks.count - 1) * group * p.Lq * p.D + (spans.count - 1) * p.Lk * (p.D + p.Dv));
  }

 private:
  static std::int64_t most_chunks(const AttendProblem& p) {
    const bool additive = p.score == ScoreKind::kAdditive;
    return std::clamp<std::int64_t>(p.Lk / (additive ? kSmallestAdditiveChunk : kSmallestChunk), 1,
                                    kMostChunks);
  }
  static std::int64_t most_spans(const AttendProblem& p) {
    if (p.score == ScoreKind::kAdditive)
      return std::clamp<std::int64_t>(p.Lq / kSmallestAdditiveSpan, 1, kMostSpans);
    const std::int64_t few = std::min(p.Lq / kSmallestOfFewSpans, kFewSpans);
    return std::clamp<std::int64_t>(p.Lq / kSmallestSpan, std::max<std::int64_t>(few, 1), kMostSpans);
  }
};

}  // namespace heed::kernels::cpu
