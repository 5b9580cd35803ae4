// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::nn {
namespace {

constexpr Closeness kClose{.relative = 1e-12, .absolute = 1e-13};

/// The definition, head by head, with dense matrices. `allowed` is boolean and broadcasts to (B, H, Lq, Lk).
struct Dense {
  Tensor output, weights;
};
Dense dense(const MultiHeadAttention& m, const Tensor& queries, const Tensor& keys, const Tensor& values,
            const Tensor& allowed) {
  const Tensor q = m.W_q(queries), k = m.W_k(keys), v = m.W_v(values);
  const std::int64_t d = q.size(-1) / m.heads();
  const Shape scores{q.size(0), m.heads(), q.size(1), k.size(1)};
  std::vector<Tensor> outputs, weights;
  for (std::int64_t h = 0; h < m.heads(); ++h) {
    const auto head = [&](const Tensor& x) { return x.slice(2, {.start = h * d, .stop = (h + 1) * d}); };
    const Tensor score = matmul(head(q), head(k).transpose(1, 2)) / std::sqrt(static_cast<double>(d));
    weights.push_back(masked_softmax_where(score, allowed.expand(scores).select(1, h)));
    outputs.push_back(matmul(weights.back(), head(v)));
  }
  return {m.W_o(cat(outputs, 2)), stack(weights, 1)};
}

struct Inputs {
  Tensor q = normal({2, 4, 5}, {}, f64), k = normal({2, 6, 7}, {}, f64), v = normal({2, 6, 3}, {}, f64);
};
MultiHeadAttention module() {
  return MultiHeadAttention(
      {.hidden = 6, .heads = 3, .bias = true, .query_size = 5, .key_size = 7, .value_size = 3, .dtype = f64});
}

void expect_dense(const Mask& mask, const Tensor& allowed) {
  MultiHeadAttention m = module();
  const Inputs x;
  const Dense expected = dense(m, x.q, x.k, x.v, allowed);
  EXPECT_TRUE(all_close(m(x.q, x.k, x.v, mask), expected.output, kClose));
  EXPECT_TRUE(all_close(m.attention_weights(), expected.weights, kClose));
}

/// (n, 1, ...) lengths as a boolean (n, 1, ..., Lk).
Tensor below(const Tensor& lengths, std::int64_t Lk) { return arange(Lk, i64) < lengths.unsqueeze(-1); }

TEST(MultiHeadAttention, IsItsDefinition) { expect_dense({}, ones({1, 1, 1, 1}, boolean)); }

TEST(MultiHeadAttention, OneLengthPerSequenceHoldsForEveryHead) {
  expect_dense(valid_lens({4, 0}), below(tensor({4, 0}, i64).reshape({2, 1, 1}), 6));
}

TEST(MultiHeadAttention, OneLengthPerQueryHoldsForEveryHead) {
  const Tensor lengths = tensor({{1, 6, 0, 3}, {2, 2, 5, 4}}, i64);
  expect_dense(valid_lens(lengths), below(lengths.unsqueeze(1), 6));
}

TEST(MultiHeadAttention, CausalHoldsForEveryHead) {
  const Tensor columns = arange(6, i64), rows = arange(4, i64).unsqueeze(1);
  expect_dense(causal(Align::kTopLeft), columns <= rows);
  expect_dense(causal(Align::kBottomRight) & valid_lens({5, 3}),
               logical_and(columns <= rows + 2, below(tensor({5, 3}, i64).reshape({2, 1, 1}), 6)));
}

TEST(MultiHeadAttention, BooleanMasksBroadcastToTheScores) {
  seed(11);
  for (const Shape& shape : {Shape{4, 6}, Shape{1, 1, 4, 6}, Shape{2, 1, 4, 6}, Shape{3, 4, 6},
                             Shape{2, 3, 4, 6}, Shape{2, 1, 1, 6}}) {
    SCOPED_TRACE(to_string(shape));
    const Tensor allowed = rand(shape) < 0.6;
    expect_dense(mask(allowed), allowed);
  }
}

TEST(MultiHeadAttention, AMaskOfThreeDimensionsIsOnePerHead) {
  // Two sequences and two heads: both readings of (2, Lq, Lk) fit, and the rule of broadcasting decides.
  MultiHeadAttention m({.hidden = 4, .heads = 2, .dtype = f64});
  const Tensor x = normal({2, 3, 4}, {}, f64);
  const Tensor allowed = cat({ones({1, 3, 3}, boolean), eye(3, boolean).unsqueeze(0)});
  m(x, x, x, mask(allowed));
  EXPECT_TRUE(identical(m.attention_weights({.heads = {1}}), eye(3, f64).expand({2, 1, 3, 3}).contiguous()));
  EXPECT_TRUE(all_close(m(x, x, x, mask(allowed)), dense(m, x, x, x, allowed).output, kClose));
}

TEST(MultiHeadAttention, ALoneSequenceIsABatchOfOne) {
  MultiHeadAttention m = module();
  const Inputs x;
  const auto expect_same = [&](const Mask& alone, const Mask& batched) {
    const Tensor y = m(x.q[0], x.k[0], x.v[0], alone);
    const Tensor w = m.attention_weights();
    const Tensor part = m.attention_weights({.heads = {2}, .rows = {3, 1}});
    const auto first = [](const Tensor& t) { return t.slice(0, {.stop = 1}); };
    EXPECT_TRUE(identical(y, m(first(x.q), first(x.k), first(x.v), batched)[0]));
    EXPECT_TRUE(identical(w, m.attention_weights()[0]));
    EXPECT_EQ(part.shape(), (Shape{1, 2, 6}));
    EXPECT_TRUE(identical(part[0][0], w[2][3]));
  };
  expect_same({}, {});
  expect_same(valid_lens(4), valid_lens({4}));
  expect_same(valid_lens({4}) & causal(Align::kTopLeft), valid_lens({4}) & causal(Align::kTopLeft));
  expect_same(valid_lens({{1, 2, 3, 4}}), valid_lens({{1, 2, 3, 4}}));
}

TEST(MultiHeadAttention, EachSequenceAndEachQueryIsAlone) {
  MultiHeadAttention m = module();
  const Inputs x;
  const Tensor y = m(x.q, x.k, x.v, valid_lens({4, 3}));
  EXPECT_TRUE(identical(m(x.q[1], x.k[1], x.v[1], valid_lens(3)), y[1]));
  EXPECT_TRUE(all_close(m(x.q[1].slice(0, {.start = 2, .stop = 3}), x.k[1], x.v[1], valid_lens(3))[0],
                        y[1][2], kClose));
}

TEST(MultiHeadAttention, WeightsAreComputedWhereAskedFor) {
  MultiHeadAttention m = module();
  const Inputs x;
  m(x.q, x.k, x.v, valid_lens({4, 6}));
  const Tensor all = m.attention_weights();
  ASSERT_EQ(all.shape(), (Shape{2, 3, 4, 6}));
  EXPECT_FALSE(all.requires_grad());
  const Tensor part = m.attention_weights({.heads = {2, 0}, .rows = {3}});
  EXPECT_EQ(part.shape(), (Shape{2, 2, 1, 6}));
  EXPECT_TRUE(identical(part[1][0][0], all[1][2][3]));
  EXPECT_TRUE(identical(part[0][1][0], all[0][0][3]));
  EXPECT_TRUE(all_close(sum(all, -1), ones({2, 3, 4}, f64), kClose));
}

TEST(MultiHeadAttention, WeightsAreThoseOfTheLastForwardWhateverIsLearntSince) {
  MultiHeadAttention m = module();
  const Inputs x;
  const Tensor y = m(x.q, x.k, x.v);
  const Tensor before = m.attention_weights();
  sum(y).backward();
  optim::SGD(m.parameters(), {.lr = 0.5}).step();
  EXPECT_TRUE(identical(m.attention_weights(), before));
  m(x.q, x.k, x.v);
  EXPECT_FALSE(all_close(m.attention_weights(), before));
}

TEST(MultiHeadAttention, ThePaperExampleHasTheRightShapes) {
  MultiHeadAttention m({.hidden = 100, .heads = 5, .dropout = 0.5});
  m.eval();
  const Tensor X = ones({2, 4, 100});
  EXPECT_EQ(m(X, X, X, valid_lens({3, 2})).shape(), (Shape{2, 4, 100}));
  const Tensor Y = ones({2, 6, 100});
  EXPECT_EQ(m(X, Y, Y, valid_lens({3, 2})).shape(), (Shape{2, 4, 100}));
  EXPECT_TRUE(all_close(m.attention_weights()[1][4][2], tensor({0.5, 0.5, 0, 0, 0, 0})));
}

TEST(MultiHeadAttention, EmptySizesAreLegal) {
  MultiHeadAttention m({.hidden = 4, .heads = 2, .bias = true});
  EXPECT_EQ(m(ones({0, 3, 4}), ones({0, 5, 4}), ones({0, 5, 4})).shape(), (Shape{0, 3, 4}));
  EXPECT_EQ(m(ones({2, 0, 4}), ones({2, 5, 4}), ones({2, 5, 4})).shape(), (Shape{2, 0, 4}));
  // Nothing to attend to: heads give 0, the output layer its bias.
  EXPECT_TRUE(identical(m(ones({1, 1, 4}), ones({1, 0, 4}), ones({1, 0, 4}))[0][0], m.W_o.bias));
}

TEST(MultiHeadAttention, TheLayerOfTheNotesHasBiasesAndSizesOfItsOwn) {
  MultiHeadAttention m = multi_head_attention_layer({.n_head = 4, .d_k = 8, .d_input = 5});
  EXPECT_EQ(m.parameter_count(), 3 * (8 * 5 + 8) + 8 * 8 + 8);
  const Tensor x = normal({2, 3, 5});
  EXPECT_EQ(m(x, x, x).shape(), (Shape{2, 3, 8}));
  EXPECT_EQ(m.attention_weights().shape(), (Shape{2, 4, 3, 3}));
}

TEST(TransposeQkv, SplitsHeadsWithoutCopying) {
  const Tensor X = arange(24).reshape({2, 3, 4});
  const Tensor heads = transpose_qkv(X, 2);
  EXPECT_EQ(heads.shape(), (Shape{2, 2, 3, 2}));
  EXPECT_EQ(heads.data<float>(), X.data<float>());
  EXPECT_EQ(heads.at({1, 0, 2, 1}), X.at({1, 2, 1}));
  EXPECT_EQ(heads.at({1, 1, 2, 1}), X.at({1, 2, 3}));
  EXPECT_TRUE(identical(transpose_qkv(X[1], 2), heads[1]));
}

TEST(TransposeQkv, AndTransposeOutputAreInverse) {
  const Tensor X = arange(24).reshape({2, 3, 4});
  const Tensor back = transpose_output(transpose_qkv(X, 2), 2);
  EXPECT_TRUE(identical(back, X));
  EXPECT_EQ(back.data<float>(), X.data<float>());
  EXPECT_TRUE(identical(transpose_output(transpose_qkv(X, 2).contiguous(), 2), X));
  EXPECT_TRUE(identical(transpose_output(transpose_qkv(X[0], 4), 4), X[0]));
}

}  // namespace
}  // namespace heed::nn
