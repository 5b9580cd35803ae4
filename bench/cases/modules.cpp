// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// nn::MultiHeadAttention as a model meets it: forward, and a whole step of training; and a linear layer by itself.
#include "cases.h"

#include <heed/heed.h>

#include <fmt/format.h>

#include <memory>

namespace heed::bench {
namespace {

constexpr std::int64_t kBatch = 8, kLength = 256, kHidden = 256, kHeads = 4;

constexpr double kProjection = 2.0 * kBatch * kLength * kHidden * kHidden;
constexpr double kPooling = 4.0 * kBatch * kLength * kLength * kHidden;
constexpr double kForwardFlops = 4 * kProjection + kPooling;
/// Backward: the output's projection has two products; those of the input one, as nobody asks for the input's gradient.
constexpr double kStepFlops = kForwardFlops + 5 * kProjection + 2.5 * kPooling;

Run prepare_forward() {
  const auto attention = std::make_shared<nn::MultiHeadAttention>(
      nn::MultiHeadAttentionOptions{.hidden = kHidden, .heads = kHeads});
  attention->eval();
  return [attention, x = normal({kBatch, kLength, kHidden})] {
    const NoGrad guard;
    (*attention)(x, x, x);
  };
}

struct Training {
  nn::MultiHeadAttention attention{{.hidden = kHidden, .heads = kHeads}};
  optim::SGD sgd{attention.parameters(), {.lr = 1e-3}};
  Tensor x = normal({kBatch, kLength, kHidden});
  Tensor target = normal({kBatch, kLength, kHidden});

  void step() {
    sgd.zero_grad();
    mse_loss(attention(x, x, x), target).backward();
    sgd.step();
  }
};

Run prepare_training() {
  return [training = std::make_shared<Training>()] { training->step(); };
}

constexpr std::int64_t kFeatures = 768;

/// A linear layer on so many rows.
Case linear_case(std::int64_t rows) {
  return {.name = fmt::format("linear_rows{}", rows),
          .score = "none",
          .shape = fmt::format("{0} rows, {1} -> {1}", rows, kFeatures),
          .work = {Work::Unit::kFlops, 2.0 * static_cast<double>(rows * kFeatures * kFeatures)},
          .prepare = [rows]() -> Run {
            const auto linear = std::make_shared<nn::Linear>(
                nn::LinearOptions{.in_features = kFeatures, .out_features = kFeatures});
            return [linear, x = normal({rows, kFeatures})] {
              const NoGrad guard;
              (*linear)(x);
            };
          }};
}

}  // namespace

void add_module_cases(Cases& cases) {
  Case forward{.name = "multi_head",
               .score = "scaled_dot",
               .shape = "b8 n256 hidden256 heads4",
               .work = {Work::Unit::kFlops, kForwardFlops},
               .prepare = prepare_forward};
  Case training = forward;
  training.name = "multi_head_training_step";
  training.work.amount = kStepFlops;
  training.prepare = prepare_training;
  cases.push_back(forward);
  cases.push_back(training);
  for (const std::int64_t rows : {1, 16, 128, 1024}) cases.push_back(linear_case(rows));
}

}  // namespace heed::bench
