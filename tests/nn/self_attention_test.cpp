// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::nn {
namespace {

/// x (B, L, D) with its positions in another order.
Tensor reordered(const Tensor& x, const std::vector<std::int64_t>& order) {
  std::vector<Tensor> parts;
  for (std::int64_t i : order) parts.push_back(x.slice(1, {.start = i, .stop = i + 1}));
  return cat(parts, 1);
}

const std::vector<std::int64_t> kOrder = {4, 0, 3, 1, 2};

TEST(SelfAttention, IsMultiHeadAttentionOfASequenceWithItself) {
  SelfAttention self({.hidden = 6, .heads = 3, .bias = true, .input_size = 4});
  MultiHeadAttention heads(
      {.hidden = 6, .heads = 3, .bias = true, .query_size = 4, .key_size = 4, .value_size = 4});
  heads.load_state(self.state());
  const Tensor x = normal({2, 5, 4});
  const Mask mask = valid_lens({3, 5}) & causal();
  EXPECT_TRUE(identical(self(x, mask), heads(x, x, x, mask)));
  EXPECT_TRUE(identical(self.attention_weights(), heads.attention_weights()));
  EXPECT_EQ(self(x).shape(), (Shape{2, 5, 6}));
}

TEST(SelfAttention, PermutingThePositionsPermutesTheResult) {
  seed(1);
  SelfAttention self({.hidden = 6, .heads = 2, .dtype = f64});
  const Tensor x = normal({2, 5, 6}, {}, f64);
  EXPECT_TRUE(all_close(self(reordered(x, kOrder)), reordered(self(x), kOrder),
                        {.relative = 1e-13, .absolute = 1e-14}));
}

TEST(SelfAttention, PermutingIsExactWhereTheOrderOfSumsIsTheSame) {
  // Whole numbers in the projections and one key for each query: not a bit may depend on the position.
  SelfAttention self({.hidden = 4, .heads = 2});
  const NoGrad guard;
  self.W_q.weight.copy_(eye(4));
  self.W_k.weight.copy_(eye(4) * 2);
  self.W_v.weight.copy_(eye(4) * 2);
  self.W_o.weight.copy_(eye(4) * 3);
  const Tensor x = arange(32).reshape({1, 8, 4});
  const Mask diagonal = window({.left = 0, .right = 0});
  const std::vector<std::int64_t> order = {7, 2, 0, 5, 1, 6, 4, 3};
  EXPECT_TRUE(identical(self(reordered(x, order), diagonal), reordered(self(x, diagonal), order)));
  EXPECT_TRUE(all_close(self(x, diagonal), x * 6, {.relative = 1e-6}));
}

TEST(SelfAttention, QueriesThatSayNothingGetTheAverage) {
  SelfAttention self({.hidden = 4, .heads = 2});
  const NoGrad guard;
  self.W_q.weight.fill_(0);
  self.W_v.weight.copy_(eye(4) * 2);
  self.W_o.weight.copy_(eye(4) * 3);
  const Tensor x = arange(32).reshape({1, 8, 4});
  EXPECT_TRUE(all_close(self(x), mean(x, 1, keepdims).expand({1, 8, 4}) * 6, {.relative = 1e-6}));
}

TEST(SelfAttention, PositionsEndTheSymmetry) {
  seed(2);
  SelfAttention self({.hidden = 6, .heads = 2});
  PositionalEncoding fixed({.num_hiddens = 6});
  LearnedPositionalEncoding learned({.num_hiddens = 6});
  const Tensor x = normal({2, 5, 6});
  const Closeness loose{.relative = 0.02, .absolute = 1e-3};
  EXPECT_TRUE(all_close(self(reordered(x, kOrder)), reordered(self(x), kOrder), loose));
  EXPECT_FALSE(all_close(self(fixed(reordered(x, kOrder))), reordered(self(fixed(x)), kOrder), loose));
  const NoGrad guard;
  learned.P.copy_(learned.P * 50);  // as large as they get by learning
  EXPECT_FALSE(all_close(self(learned(reordered(x, kOrder))), reordered(self(learned(x)), kOrder), loose));
}

TEST(SelfAttention, CausalLetsNothingBackInTime) {
  SelfAttention self({.hidden = 6, .heads = 2});
  const Tensor x = normal({1, 5, 6});
  const Tensor changed = cat({x.slice(1, {.stop = 3}), normal({1, 2, 6})}, 1);
  const Tensor before = self(x, causal()), after = self(changed, causal());
  EXPECT_TRUE(identical(before.slice(1, {.stop = 3}), after.slice(1, {.stop = 3})));
  EXPECT_FALSE(all_close(before, after));
}

}  // namespace
}  // namespace heed::nn
