// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The engine compiled for one instruction set: included once per tier, with HEED_TIER naming the namespace.
#pragma once

#include "kernels/cpu/attention/backward-inl.h"
#include "kernels/cpu/attention/decode-inl.h"
#include "kernels/cpu/attention/dot_rows_gradient-inl.h"
#include "kernels/cpu/attention/few_rows.h"
#include "kernels/cpu/attention/forward-inl.h"
#include "kernels/cpu/attention/gaussian_rows_gradient-inl.h"
#include "kernels/cpu/attention/project-inl.h"
#include "kernels/cpu/attention/score_additive-inl.h"
#include "kernels/cpu/attention/score_additive_gradient-inl.h"
#include "kernels/cpu/attention/score_dot-inl.h"
#include "kernels/cpu/attention/score_gaussian-inl.h"
#include "kernels/cpu/attention/tier.h"
#include "kernels/cpu/attention/weights-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// A score and the gradient that goes with it.
template <class T, template <class> class ScoreType, template <class> class GradientType>
struct ScorePair {
  using Element = T;
  using Score = ScoreType<T>;
  using Gradient = GradientType<T>;
};

/// body(ScorePair): the problem's. A new score is added here.
template <class Body>
decltype(auto) with_score(const AttendProblem& p, const Body& body) {
  const auto typed = [&]<class T>(T) -> decltype(auto) {
    switch (p.score) {
      case ScoreKind::kGaussian: return body(ScorePair<T, GaussianScore, GaussianGradient>{});
      case ScoreKind::kAdditive: return body(ScorePair<T, AdditiveScore, AdditiveGradient>{});
      case ScoreKind::kDot: break;
    }
    return body(ScorePair<T, DotScore, DotGradient>{});
  };
  return p.dtype == Dtype::kF32 ? typed(float{}) : typed(double{});
}

/// body(block): a ForwardBlock in the given memory.
template <class Body>
void with_forward(const AttendForward& f, const void* prepared, const QueryBlock& block, void* memory,
                  const Body& body) {
  with_score(f.problem, [&]<class Pair>(Pair) {
    using T = typename Pair::Element;
    Arena arena(memory);
    typename Pair::Score score(f.problem, prepared, arena);
    const ForwardScratch<T> scratch(f.problem, Pair::Score::features(f.problem), arena);
    ForwardBlock<T, typename Pair::Score> forward(f, score, block, scratch);
    body(forward, T{});
  });
}

template <class T>
RunningRows<T> rows_of_part(const ForwardPart& part) {
  return {static_cast<T*>(part.out), static_cast<T*>(part.reference), static_cast<T*>(part.sum)};
}

inline std::size_t prepared_bytes(const AttendProblem& p) noexcept {
  return with_score(p, [&]<class Pair>(Pair) {
    return static_cast<std::size_t>(Pair::Score::prepared_row(p)) * sizeof(typename Pair::Element);
  });
}
/// Keys [begin, end) of all (B, Hkv, Lk).
inline void prepare_keys(const AttendProblem& p, std::int64_t begin, std::int64_t end,
                         void* prepared) noexcept {
  with_score(p, [&]<class Pair>(Pair) {
    using T = typename Pair::Element;
    for (std::int64_t n = begin; n < end; ++n) {
      Pair::Score::prepare_key(p, row_of<T>(p.keys, n / (p.Hkv * p.Lk), n / p.Lk % p.Hkv, n % p.Lk),
                               p.keys.column, static_cast<T*>(prepared) + n * Pair::Score::prepared_row(p));
    }
  });
}

inline std::size_t forward_scratch(const AttendProblem& p) noexcept {
  return with_score(p, [&]<class Pair>(Pair) {
    Arena arena;
    typename Pair::Score score(p, nullptr, arena);
    ForwardScratch<typename Pair::Element>(p, Pair::Score::features(p), arena);
    return arena.used();
  });
}
inline void forward(const AttendForward& f, const void* prepared, const QueryBlock& block,
                    void* scratch) noexcept {
  with_forward(f, prepared, block, scratch, [](auto& forward, auto) { forward.run(); });
}
inline void forward_chunk(const AttendForward& f, const void* prepared, const QueryBlock& block,
                          std::int64_t chunk, const ForwardPart& part, void* scratch) noexcept {
  with_forward(f, prepared, block, scratch,
               [&]<class T>(auto& forward, T) { forward.run_chunk(chunk, rows_of_part<T>(part)); });
}
inline void forward_merge(const AttendForward& f, const void* prepared, const QueryBlock& block,
                          const ForwardPart* parts, std::int64_t count, void* scratch) noexcept {
  with_forward(f, prepared, block, scratch, [&]<class T>(auto& forward, T) {
    forward.run_merge(count, [&](std::int64_t n) { return rows_of_part<T>(parts[n]); });
  });
}

static_assert(kFewRowsRun == kRunKeys);

template <class Body>
void with_decode(const AttendForward& f, const HeadRows& rows, Arena arena, const Body& body) {
  const auto typed = [&]<class T>(T) {
    if (f.problem.score == ScoreKind::kGaussian) {
      Decode<T, GaussianRows<T>> decode(f, rows, arena);
      body(decode, arena);
    } else {
      Decode<T, DotRows<T>> decode(f, rows, arena);
      body(decode, arena);
    }
  };
  f.problem.dtype == Dtype::kF32 ? typed(float{}) : typed(double{});
}
inline std::size_t decode_scratch(const AttendProblem& p) noexcept {
  std::size_t bytes = 0;
  AttendForward f;
  f.problem = p;
  with_decode(f, {}, Arena(), [&](auto&, const Arena& arena) { bytes = arena.used(); });
  return bytes;
}
inline void decode_chunk(const AttendForward& f, const HeadRows& rows, std::int64_t begin, std::int64_t end,
                         const ForwardPart& part, void* scratch) noexcept {
  with_decode(f, rows, Arena(scratch), [&](auto& decode, const Arena&) { decode.chunk(begin, end, part); });
}
inline void decode_merge(const AttendForward& f, const HeadRows& rows, const ForwardPart* parts,
                         std::int64_t count, void* scratch) noexcept {
  with_decode(f, rows, Arena(scratch), [&](auto& decode, const Arena&) { decode.merge(parts, count); });
}

/// body(backward): what does the work of a task, in the given memory.
template <class Body>
void with_backward(const AttendBackward& f, const void* prepared, const BackwardTask& task, Arena& arena,
                   const Body& body) {
  with_score(f.problem, [&]<class Pair>(Pair) {
    using T = typename Pair::Element;
    if (!why_not_few_rows(f.problem)) {
      if (f.problem.score == ScoreKind::kGaussian) {
        GaussianRowsGradient<T> backward(f, task, arena);
        return body(backward);
      }
      DotRowsGradient<T> backward(f, task, arena);
      return body(backward);
    }
    typename Pair::Score score(f.problem, prepared, arena);
    typename Pair::Gradient gradient(f.problem, score, arena);
    const BackwardScratch<T> scratch(f.problem, Pair::Score::features(f.problem), arena);
    BackwardSpan<T, typename Pair::Score, typename Pair::Gradient> backward(f, task, score, gradient,
                                                                            scratch);
    body(backward);
  });
}
inline std::size_t backward_scratch(const AttendProblem& p) noexcept {
  AttendBackward f;
  f.problem = p;
  Arena arena;
  with_backward(f, nullptr, {}, arena, [](auto&) {});
  return arena.used();
}
inline void backward(const AttendBackward& f, const void* prepared, const BackwardTask& task,
                     void* memory) noexcept {
  Arena arena(memory);
  with_backward(f, prepared, task, arena, [](auto& backward) { backward.run(); });
}

inline std::size_t weights_scratch(const AttendProblem& p) noexcept {
  return with_score(p, [&]<class Pair>(Pair) {
    Arena arena;
    typename Pair::Score score(p, nullptr, arena);
    RecomputeScratch<typename Pair::Element>(p, Pair::Score::features(p), arena);
    return arena.used();
  });
}
inline void weights(const AttendWeights& f, const void* prepared, const QueryBlock& block, void* out,
                    void* memory) noexcept {
  with_score(f.problem, [&]<class Pair>(Pair) {
    using T = typename Pair::Element;
    Arena arena(memory);
    typename Pair::Score score(f.problem, prepared, arena);
    const RecomputeScratch<T> scratch(f.problem, Pair::Score::features(f.problem), arena);
    WeightsBlock<T, typename Pair::Score>(f, block, score, scratch).run(static_cast<T*>(out));
  });
}

template <class T>
void add_typed(const T* from, std::int64_t n, T* sum) {
  std::int64_t i = 0;
  for (; i + kLanes<T> <= n; i += kLanes<T>) store(sum + i, load(sum + i) + load(from + i));
  for (; i < n; ++i) sum[i] += from[i];
}
inline void add(Dtype dtype, const void* from, std::int64_t n, void* sum) noexcept {
  dtype == Dtype::kF32 ? add_typed(static_cast<const float*>(from), n, static_cast<float*>(sum))
                       : add_typed(static_cast<const double*>(from), n, static_cast<double*>(sum));
}

inline void project_rows(const ProjectRowsParams& p, const ProjectBlock& block, void* scratch) noexcept {
  p.dtype == Dtype::kF32 ? project<float>(p, block, scratch) : project<double>(p, block, scratch);
}

inline int query_rows(Dtype dtype) noexcept {
  return dtype == Dtype::kF32 ? Layout<float>::kQueries : Layout<double>::kQueries;
}
inline int key_rows(Dtype dtype) noexcept {
  return dtype == Dtype::kF32 ? Layout<float>::kBlock : Layout<double>::kBlock;
}
inline int chunk_rows(Dtype dtype) noexcept {
  return dtype == Dtype::kF32 ? Layout<float>::kChunk : Layout<double>::kChunk;
}

/// The table entry, all but which CPUs can run it.
constexpr AttentionTier tier(const char* name, bool (*supported)() noexcept) {
  return {.name = name,
          .supported = supported,
          .query_rows = query_rows,
          .key_rows = key_rows,
          .chunk_rows = chunk_rows,
          .prepared_bytes = prepared_bytes,
          .prepare_keys = prepare_keys,
          .forward_scratch = forward_scratch,
          .forward = forward,
          .forward_chunk = forward_chunk,
          .forward_merge = forward_merge,
          .decode_scratch = decode_scratch,
          .decode_chunk = decode_chunk,
          .decode_merge = decode_merge,
          .backward_scratch = backward_scratch,
          .backward = backward,
          .weights_scratch = weights_scratch,
          .weights = weights,
          .add = add,
          .project_rows = project_rows};
}

}  // namespace heed::kernels::cpu::HEED_TIER
