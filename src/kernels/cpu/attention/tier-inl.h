// The engine compiled for one instruction set: included once per tier, with HEED_TIER naming the namespace.
#pragma once

#include "kernels/cpu/attention/backward-inl.h"
#include "kernels/cpu/attention/forward-inl.h"
#include "kernels/cpu/attention/score_additive-inl.h"
#include "kernels/cpu/attention/score_dot-inl.h"
#include "kernels/cpu/attention/score_gaussian-inl.h"
#include "kernels/cpu/attention/tier.h"

namespace heed::kernels::cpu::HEED_TIER {

inline constexpr double kLog2E = 1.4426950408889634;

/// body(score, scale): the problem's score and what packed queries are multiplied by.
template <class T, class Body>
void with_score(const AttendProblem& p, Arena& arena, const Body& body) {
  const T* given = static_cast<const T*>(p.score_weights);
  T* weights = arena.take<T>(p.D);
  if (p.score == ScoreKind::kDot) {
    body(DotScore<T>{p.D}, static_cast<T>(p.scale * kLog2E));
  } else if (p.score == ScoreKind::kGaussian) {
    const T factor = static_cast<T>(0.8493218002880191);  // sqrt(log2(e) / 2)
    for (std::int64_t d = 0; d < p.D; ++d) weights[d] = given[d] * factor;
    body(GaussianScore<T>{p.D, weights, given}, T{1});
  } else {
    for (std::int64_t d = 0; d < p.D; ++d) weights[d] = given[d] * static_cast<T>(kLog2E);
    body(AdditiveScore<T>{p.D, weights, given}, T{1});
  }
}

template <class T>
void forward_typed(const AttendForward& f, const QueryBlock& block, void* memory) {
  Arena arena(memory);
  const ForwardScratch<T> scratch(arena, f.problem);
  with_score<T>(f.problem, arena, [&](const auto& score, T scale) {
    ForwardBlock<T, std::remove_cvref_t<decltype(score)>>(f, score, block, scratch).run(scale);
  });
}

template <class T>
std::size_t forward_bytes(const AttendProblem& p) {
  constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
  // Three (block, queries) tiles, packed queries, a block of keys and of values, lanes, score weights; 64 to align each.
  const std::int64_t elements =
      3 * kBlock * kWidth + p.D * kWidth + kBlock * (p.D + p.Dv) + 12 * kWidth + p.D;
  return static_cast<std::size_t>(elements) * sizeof(T) + 64 * 24;
}

template <class T>
void backward_typed(const AttendBackward& f, const KeyChunk& chunk, void* memory) {
  Arena arena(memory);
  const BackwardScratch<T> scratch(arena, f.problem);
  with_score<T>(f.problem, arena, [&](const auto& score, T scale) {
    BackwardChunk<T, std::remove_cvref_t<decltype(score)>>(f, chunk, score, scale, scratch).run();
  });
}

template <class T>
std::size_t backward_bytes(const AttendProblem& p) {
  constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
  // Five (block, queries) tiles, packed and natural rows, a block of keys and of values, lanes, weights.
  const std::int64_t elements =
      5 * kBlock * kWidth + kWidth * (3 * p.D + 2 * p.Dv) + kBlock * (2 * p.D + p.Dv) + 8 * kWidth + 2 * p.D;
  return static_cast<std::size_t>(elements) * sizeof(T) + 64 * 32;
}

inline std::size_t backward_scratch(const AttendProblem& p) noexcept {
  return p.dtype == Dtype::kF32 ? backward_bytes<float>(p) : backward_bytes<double>(p);
}
inline void backward(const AttendBackward& f, const KeyChunk& chunk, void* scratch) noexcept {
  f.problem.dtype == Dtype::kF32 ? backward_typed<float>(f, chunk, scratch)
                                 : backward_typed<double>(f, chunk, scratch);
}

inline std::size_t forward_scratch(const AttendProblem& p) noexcept {
  return p.dtype == Dtype::kF32 ? forward_bytes<float>(p) : forward_bytes<double>(p);
}
inline void forward(const AttendForward& f, const QueryBlock& block, void* scratch) noexcept {
  f.problem.dtype == Dtype::kF32 ? forward_typed<float>(f, block, scratch)
                                 : forward_typed<double>(f, block, scratch);
}
inline int query_rows(Dtype dtype) noexcept {
  return dtype == Dtype::kF32 ? Layout<float>::kQueries : Layout<double>::kQueries;
}
inline int key_rows(Dtype dtype) noexcept {
  return dtype == Dtype::kF32 ? Layout<float>::kBlock : Layout<double>::kBlock;
}

}  // namespace heed::kernels::cpu::HEED_TIER
