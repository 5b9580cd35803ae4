// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Modules against the numbers PyTorch computed: outputs, weights, and the gradients of every input and parameter.
#include "support/golden.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::nn {
namespace {

using test::GoldenCase;
using test::near;

Tensor leaf(const Tensor& x) { return x.clone().requires_grad_(); }

double tolerance(const Tensor& x) { return x.dtype() == f32 ? 2e-6 : 1e-12; }

void expect_grads(const std::map<std::string, Tensor>& expected, const Module& module) {
  const auto parameters = module.named_parameters();
  ASSERT_EQ(parameters.size(), expected.size());
  for (const auto& [name, parameter] : parameters) {
    const Tensor& grad = expected.at(name);
    EXPECT_TRUE(near(parameter.grad(), grad, tolerance(grad))) << name;
  }
}

TEST(GoldenModules, Linear) {
  for (const char* name : {"linear", "linear_f32"}) {
    SCOPED_TRACE(name);
    const GoldenCase& c = test::golden(name);
    const Tensor x = leaf(c.tensor("x"));
    Linear linear({.in_features = 5, .out_features = 3, .dtype = x.dtype()});
    linear.load_state({{"weight", c.tensor("weight")}, {"bias", c.tensor("bias")}});
    const Tensor out = linear(x);
    EXPECT_TRUE(near(out, c.tensor("out"), tolerance(x)));
    out.backward(c.tensor("grad_out"));
    EXPECT_TRUE(near(x.grad(), c.tensor("grad_x"), tolerance(x)));
    expect_grads({{"weight", c.tensor("grad_weight")}, {"bias", c.tensor("grad_bias")}}, linear);
  }
}

TEST(GoldenModules, LayerNorm) {
  for (const char* name : {"layer_norm_last", "layer_norm_last_two", "layer_norm_last_f32"}) {
    SCOPED_TRACE(name);
    const GoldenCase& c = test::golden(name);
    const Tensor x = leaf(c.tensor("x"));
    LayerNorm norm(
        {.normalized_shape = c.tensor("weight").shape(), .epsilon = c.scalar("eps"), .dtype = x.dtype()});
    norm.load_state({{"weight", c.tensor("weight")}, {"bias", c.tensor("bias")}});
    const Tensor out = norm(x);
    EXPECT_TRUE(near(out, c.tensor("out"), tolerance(x)));
    out.backward(c.tensor("grad_out"));
    EXPECT_TRUE(near(x.grad(), c.tensor("grad_x"), tolerance(x)));
    expect_grads({{"weight", c.tensor("grad_weight")}, {"bias", c.tensor("grad_bias")}}, norm);
  }
}

TEST(GoldenModules, Embedding) {
  const GoldenCase& c = test::golden("embedding");
  Embedding embedding({.num_embeddings = 7, .embedding_dim = 3, .dtype = f64});
  embedding.load_state({{"weight", c.tensor("weight")}});
  const Tensor out = embedding(c.tensor("indices"));
  EXPECT_TRUE(near(out, c.tensor("out")));
  out.backward(c.tensor("grad_out"));
  expect_grads({{"weight", c.tensor("grad_weight")}}, embedding);
}

TEST(GoldenModules, AdditiveAttention) {
  for (const char* name : {"additive", "additive_per_query"}) {
    SCOPED_TRACE(name);
    const GoldenCase& c = test::golden(name);
    AdditiveAttention attention({.key_size = 2, .query_size = 5, .num_hiddens = 8, .dtype = f64});
    attention.load_state(
        {{"W_q.weight", c.tensor("W_q")}, {"W_k.weight", c.tensor("W_k")}, {"w_v.weight", c.tensor("w_v")}});
    const Tensor q = leaf(c.tensor("queries")), k = leaf(c.tensor("keys")), v = leaf(c.tensor("values"));
    const Tensor out = attention(q, k, v, valid_lens(c.tensor("valid_lens")));
    EXPECT_TRUE(near(out, c.tensor("out")));
    EXPECT_TRUE(near(attention.attention_weights(), c.tensor("weights")));
    out.backward(c.tensor("grad_out"));
    EXPECT_TRUE(near(q.grad(), c.tensor("grad_queries")));
    EXPECT_TRUE(near(k.grad(), c.tensor("grad_keys")));
    EXPECT_TRUE(near(v.grad(), c.tensor("grad_values")));
    expect_grads({{"W_q.weight", c.tensor("grad_W_q")},
                  {"W_k.weight", c.tensor("grad_W_k")},
                  {"w_v.weight", c.tensor("grad_w_v")}},
                 attention);
  }
}

/// PyTorch's names for the parts of a MultiHeadAttention; `prefix` is "" for values and "grad_" for gradients.
Module::State projections(const GoldenCase& c, const std::string& prefix) {
  Module::State state;
  const std::string in = prefix + "in_proj_weight";
  const auto third = [&](const std::string& key, std::int64_t n) {
    const std::int64_t size = c.tensor(key).size(0) / 3;
    return c.tensor(key).slice(0, {.start = n * size, .stop = (n + 1) * size});
  };
  std::int64_t n = 0;
  for (const std::string letter : {"q", "k", "v"}) {
    const std::string own = prefix + letter + "_proj_weight";
    state["W_" + letter + ".weight"] = c.has(in) ? third(in, n) : c.tensor(own);
    state["W_" + letter + ".bias"] = third(prefix + "in_proj_bias", n++);
  }
  state["W_o.weight"] = c.tensor(prefix + "out_proj.weight");
  state["W_o.bias"] = c.tensor(prefix + "out_proj.bias");
  return state;
}

TEST(GoldenModules, MultiHeadAttention) {
  for (const char* name : {"mha", "mha_kdim_vdim"}) {
    SCOPED_TRACE(name);
    const GoldenCase& c = test::golden(name);
    const Tensor q = leaf(c.tensor("query")), k = leaf(c.tensor("key")), v = leaf(c.tensor("value"));
    MultiHeadAttention attention({.hidden = 12,
                                  .heads = 3,
                                  .bias = true,
                                  .key_size = k.size(-1),
                                  .value_size = v.size(-1),
                                  .dtype = f64});
    attention.load_state(projections(c, ""));
    const Tensor valid = logical_not(c.tensor("key_padding_mask")).reshape({2, 1, 1, 5});
    const Tensor out = attention(q, k, v, mask(valid));
    EXPECT_TRUE(near(out, c.tensor("out")));
    EXPECT_TRUE(near(attention.attention_weights(), c.tensor("weights")));
    EXPECT_TRUE(test::near(out.detach(), attention(q, k, v, valid_lens({4, 2})).detach()));
    out.backward(c.tensor("grad_out"));
    EXPECT_TRUE(near(q.grad(), c.tensor("grad_query")));
    EXPECT_TRUE(near(k.grad(), c.tensor("grad_key")));
    EXPECT_TRUE(near(v.grad(), c.tensor("grad_value")));
    expect_grads(projections(c, "grad_"), attention);
  }
}

TEST(GoldenModules, NWKernelRegression) {
  const GoldenCase& c = test::golden("nadaraya_watson");
  NWKernelRegression net({.dtype = f64});
  net.load_state({{"w", c.tensor("w")}});
  const Tensor q = leaf(c.tensor("queries")), k = leaf(c.tensor("keys")), v = leaf(c.tensor("values"));
  const Tensor out = net(q, k, v);
  EXPECT_TRUE(near(out, c.tensor("out")));
  EXPECT_TRUE(near(net.attention_weights(), c.tensor("weights")));
  out.backward(c.tensor("grad_out"));
  EXPECT_TRUE(near(q.grad(), c.tensor("grad_queries")));
  EXPECT_TRUE(near(k.grad(), c.tensor("grad_keys")));
  EXPECT_TRUE(near(v.grad(), c.tensor("grad_values")));
  expect_grads({{"w", c.tensor("grad_w")}}, net);
}

TEST(GoldenModules, PositionalEncoding) {
  const GoldenCase& c = test::golden("positional_encoding_f32");
  PositionalEncoding encoding({.num_hiddens = 32});
  // PyTorch's angles are rounded to f32 before the sine, ours only after it.
  EXPECT_TRUE(near(encoding(zeros({1, 60, 32}))[0], c.tensor("out"), 4e-6));
}

}  // namespace
}  // namespace heed::nn
