// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Dropout, alone and inside the attention modules.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::nn {
namespace {

TEST(Dropout, DoesNothingInEval) {
  Dropout dropout({.p = 0.5});
  dropout.eval();
  const Tensor x = ones({100});
  EXPECT_TRUE(identical(dropout(x), x));
  EXPECT_EQ(dropout.rate(), 0);
  EXPECT_EQ(dropout.p(), 0.5);
}

TEST(Dropout, DropsAndScalesInTraining) {
  seed(3);
  const Dropout dropout({.p = 0.25});
  const Tensor y = dropout(ones({4000}));
  std::int64_t dropped = 0;
  for (double value : y.to_vector()) {
    EXPECT_TRUE(value == 0 || std::abs(value - 4.0 / 3) < 1e-6) << value;
    dropped += value == 0 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(dropped), 1000, 5 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST(Dropout, ZeroKeepsEverythingAndOneNothing) {
  const Tensor x = ones({50});
  EXPECT_TRUE(identical(Dropout({.p = 0})(x), x));
  EXPECT_TRUE(identical(Dropout({.p = 1})(x), zeros({50})));
}

TEST(Dropout, InAttentionActsOnThePooledWeightsInTrainingOnly) {
  seed(4);
  DotProductAttention attention({.dropout = 0.5});
  const Tensor q = normal({2, 3, 4}), k = normal({2, 50, 4}), v = ones({2, 50, 1});
  const Tensor dropped = attention(q, k, v);
  const Tensor weights = attention.attention_weights();
  EXPECT_FALSE(all_close(dropped, ones({2, 3, 1}), {.absolute = 1e-3}));
  attention.eval();
  EXPECT_TRUE(all_close(attention(q, k, v), ones({2, 3, 1})));
  // The weights are those before dropout, whatever the mode.
  EXPECT_TRUE(identical(attention.attention_weights(), weights));
  EXPECT_TRUE(all_close(sum(weights, -1), ones({2, 3})));
}

TEST(Dropout, OfEveryAttentionModuleFollowsTheSeedAndTheMode) {
  const Tensor x = normal({2, 20, 4});
  const auto expect_seeded = [&](auto& module, const auto& forward) {
    seed(8);
    const Tensor first = forward();
    const Tensor second = forward();
    seed(8);
    EXPECT_TRUE(identical(forward(), first)) << module;
    EXPECT_FALSE(identical(second, first)) << module;
    module.eval();
    EXPECT_TRUE(identical(forward(), forward())) << module;
  };
  const NoGrad guard;
  AdditiveAttention additive({.key_size = 4, .query_size = 4, .num_hiddens = 3, .dropout = 0.3});
  expect_seeded(additive, [&] { return additive(x, x, x); });
  MultiHeadAttention heads({.hidden = 4, .heads = 2, .dropout = 0.3});
  expect_seeded(heads, [&] { return heads(x, x, x); });
  SelfAttention self({.hidden = 4, .heads = 2, .dropout = 0.3});
  expect_seeded(self, [&] { return self(x); });
  PositionalEncoding fixed({.num_hiddens = 4, .dropout = 0.3});
  expect_seeded(fixed, [&] { return fixed(x); });
  LearnedPositionalEncoding learned({.num_hiddens = 4, .dropout = 0.3});
  expect_seeded(learned, [&] { return learned(x); });
}

}  // namespace
}  // namespace heed::nn
