// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Additive attention, b4 n512 with 64 hidden units: the whole operator, projections included.
#include "cases.h"

#include <heed/heed.h>

namespace heed::bench {
namespace {

constexpr std::int64_t kBatch = 4, kLength = 512, kHidden = 64;
constexpr double kTerms = 1.0 * kBatch * kLength * kLength * kHidden;

struct Operands {
  Tensor queries = normal({kBatch, kLength, kHidden});
  Tensor keys = normal({kBatch, kLength, kHidden});
  Tensor values = normal({kBatch, kLength, kHidden});
  // Projections of a size that keeps their sum within a few units, as a trained layer's do.
  Additive score{.W_q = normal({kHidden, kHidden}, {.stddev = 0.125}),
                 .W_k = normal({kHidden, kHidden}, {.stddev = 0.125}),
                 .w_v = normal({kHidden}, {.stddev = 0.125})};

  std::vector<Tensor> all() const { return {queries, keys, values, score.W_q, score.W_k, score.w_v}; }
  Tensor attend() const { return heed::attend(queries, keys, values, {.score = score}); }
};

Run prepare_forward() {
  return [in = Operands()] {
    const NoGrad guard;
    in.attend();
  };
}

Run prepare_training() {
  const Operands in;
  for (const Tensor& x : in.all()) x.requires_grad_();
  return [in, all = in.all(), seed = ones_like(in.values)] {
    for (const Tensor& x : all) x.set_grad({});
    in.attend().backward(seed);
  };
}

}  // namespace

void add_additive_cases(Cases& cases) {
  Case forward{.name = "additive_h64_n512",
               .score = "additive",
               .shape = "b4 n512 hidden64",
               .work = {Work::Unit::kTerms, kTerms},
               .prepare = prepare_forward};
  Case training = forward;
  training.name = "additive_h64_n512_with_backward";
  training.prepare = prepare_training;
  cases.push_back(forward);
  cases.push_back(training);
}

}  // namespace heed::bench
