// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Generated attention problems: every legal mix of shape, score, mask, bias, softcap and dropout. The same case builds
// the call of attend() and, independently, the dense matrix of pairs that take part.
#pragma once

#include <heed/heed.h>

#include <cstdint>
#include <string>

namespace heed::test {

enum class ScoreName { kScaledDot, kDot, kGaussian, kAdditive };
inline constexpr ScoreName kAllScores[] = {ScoreName::kScaledDot, ScoreName::kDot, ScoreName::kGaussian,
                                           ScoreName::kAdditive};
const char* text(ScoreName score);

struct AttentionCase {
  std::int64_t rank = 4;
  std::int64_t B = 2, H = 2, Hkv = 2, Lq = 3, Lk = 5, D = 4, Dv = 3;
  std::int64_t Dk = 4;  ///< width of the keys; differs from D for the additive score alone
  ScoreName score = ScoreName::kScaledDot;
  enum class Lengths { kNone, kPerBatch, kPerRow } lengths = Lengths::kNone;
  enum class Band { kNone, kCausal, kWindow } band = Band::kNone;
  Align align = Align::kTopLeft;
  bool boolean_mask = false;
  enum class Bias { kNone, kFull, kBroadcast, kWithMinusInf } bias = Bias::kNone;
  bool softcap = false;
  double dropout = 0;
  bool per_feature_width = false;
  Dtype dtype = f64;

  std::string describe() const;
};

/// A random case; sizes from 1 and primes up to 17, with empty dims now and then.
AttentionCase random_case(Generator& generator);
/// The same with the score given.
AttentionCase random_case(Generator& generator, ScoreName score);
/// The same with so many queries or keys, or both, that there are several query blocks, key blocks or chunks of keys, in few
/// heads.
AttentionCase random_long_case(Generator& generator, ScoreName score);

/// A case with numbers in it.
struct AttentionProblem {
  Tensor queries, keys, values;
  AttendOptions options;
  /// boolean, shaped like the scores: what masks and -inf bias let through, worked out pair by pair.
  Tensor takes_part;
  /// Factor dropout puts on each weight, shaped like the scores; undefined without dropout.
  Tensor dropout_factors;
  Generator dropout_generator{0};

  /// The tensors a gradient may be asked of: queries, keys, values, bias and the score's parameters.
  std::vector<Tensor> differentiable() const;
  /// attend() on this problem; the dropout seed is the same in every call.
  Tensor attend() const;
  AttendResult attend_with_weights() const;
};
AttentionProblem build(const AttentionCase& c, Generator& generator);

/// The definition by dense tensor operations, sharing nothing with attend(): scores, softcap, bias, masked softmax,
/// dropout, matmul. `weights`, if given, receives the weights before dropout.
Tensor composition(const AttentionProblem& problem, Tensor* weights = nullptr);

std::int64_t random_int(Generator& generator, std::int64_t low, std::int64_t high);
bool chance(Generator& generator, double probability);

}  // namespace heed::test
