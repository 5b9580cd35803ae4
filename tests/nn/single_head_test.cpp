// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// DotProductAttention, AdditiveAttention and AttentionLayer against dense matrices written out by hand.
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::nn {
namespace {

using test::near;
using test::random_normal;

struct Dense {
  Tensor output, weights;
};
Dense dense(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& valid_lens = {}) {
  const Tensor scores = bmm(q, k.transpose(1, 2)) / std::sqrt(static_cast<double>(q.size(-1)));
  const Tensor weights = masked_softmax(scores, valid_lens);
  return {bmm(weights, v), weights};
}

TEST(DotProductAttention, IsItsDefinition) {
  DotProductAttention attention;
  const Tensor q = random_normal({2, 3, 4}, f64, 1), k = random_normal({2, 5, 4}, f64, 2),
               v = random_normal({2, 5, 6}, f64, 3);
  for (const Tensor& lengths : {tensor({2, 5}, i64), tensor({{1, 0, 5}, {4, 2, 3}}, i64)}) {
    const Dense expected = dense(q, k, v, lengths);
    EXPECT_TRUE(near(attention(q, k, v, valid_lens(lengths)), expected.output));
    EXPECT_TRUE(near(attention.attention_weights(), expected.weights));
    EXPECT_TRUE(near(attention.attention_weights({.rows = {2}}).select(1, 0), expected.weights.select(1, 2)));
  }
  EXPECT_TRUE(near(attention(q[0], k[0], v[0]), dense(q, k, v).output[0]));
  EXPECT_EQ(attention.attention_weights().shape(), (Shape{3, 5}));
}

TEST(DotProductAttention, WeightsOfInputsChangedSinceAreRefused) {
  DotProductAttention attention;
  const Tensor x = random_normal({3, 4});
  attention(x, x, x);
  x.fill_(0);
  EXPECT_THROW(attention.attention_weights(), Error);
}

TEST(AdditiveAttention, TheExampleOfTheNotesGivesUniformWeights) {
  // All keys are equal, so what is valid shares the weight.
  AdditiveAttention attention({.key_size = 2, .query_size = 20, .num_hiddens = 8, .dropout = 0.1});
  attention.eval();
  const Tensor values = arange(40).reshape({1, 10, 4}).expand({2, 10, 4});
  const Tensor out = attention(normal({2, 1, 20}), ones({2, 10, 2}), values, valid_lens({2, 6}));
  EXPECT_TRUE(near(out, tensor({{{2, 3, 4, 5}}, {{10, 11, 12, 13}}}), 1e-5));
  EXPECT_TRUE(near(attention.attention_weights()[0][0], tensor({0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0}), 1e-6));
}

TEST(AdditiveAttention, GivesChosenRowsAndTakesALoneSequence) {
  AdditiveAttention attention({.key_size = 3, .query_size = 4, .num_hiddens = 5, .dtype = f64});
  const Tensor q = random_normal({2, 6, 4}, f64, 1), k = random_normal({2, 5, 3}, f64, 2),
               v = random_normal({2, 5, 2}, f64, 3);
  const Tensor y = attention(q, k, v, valid_lens({3, 4}));
  const Tensor weights = attention.attention_weights();
  EXPECT_TRUE(near(bmm(weights, v), y));
  EXPECT_TRUE(near(attention.attention_weights({.rows = {5, 0}}).select(1, 0), weights.select(1, 5)));
  EXPECT_TRUE(near(attention(q[1], k[1], v[1], valid_lens({4})), y[1]));
}

TEST(AttentionLayer, ProjectsAttendsAndProjects) {
  for (std::int64_t d_input : {3, 7}) {
    AttentionLayer layer({.d_k = 3, .d_input = d_input, .dtype = f64});
    const Tensor q = random_normal({2, 4, d_input}, f64, 1), k = random_normal({2, 5, d_input}, f64, 2),
                 v = random_normal({2, 5, d_input}, f64, 3);
    const auto& linears = layer.linears;
    const Dense expected = dense(linears[0](q), linears[1](k), linears[2](v));
    EXPECT_TRUE(near(layer(q, k, v), linears[3](expected.output)));
    EXPECT_TRUE(near(layer.attention_weights(), expected.weights));
    const Dense masked = dense(linears[0](q), linears[1](k), linears[2](v), tensor({1, 4}, i64));
    EXPECT_TRUE(near(layer(q, k, v, valid_lens({1, 4})), linears[3](masked.output)));
    EXPECT_TRUE(near(layer(q[1], k[1], v[1], valid_lens({4})), linears[3](masked.output)[1]));
  }
}

TEST(AttentionLayer, NamesItsFourLinears) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : AttentionLayer({.d_k = 2, .d_input = 3}).state()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"linears.0.bias", "linears.0.weight", "linears.1.bias",
                                             "linears.1.weight", "linears.2.bias", "linears.2.weight",
                                             "linears.3.bias", "linears.3.weight"}));
}

}  // namespace
}  // namespace heed::nn
