// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Every wrong argument of the modules: the call, and what the error says.
#include "support/errors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::nn {
namespace {

using test::expect_errors;

/// A tensor of these sizes.
template <class... Sizes>
Tensor of(Sizes... sizes) {
  return ones({sizes...});
}

TEST(ModuleErrors, Linear) {
  const Linear linear({.in_features = 3, .out_features = 2});
  expect_errors({
      {[] { Linear({.out_features = 2}); }, "Linear: in_features must be given and at least 0, found -1"},
      {[] { Linear({.in_features = 2}); }, "Linear: out_features must be given and at least 0, found -1"},
      {[] { Linear({.in_features = 2, .out_features = 2, .dtype = i64}); },
       "Linear: dtype must be f32 or f64, found i64"},
      {[&] { linear(of(4, 2)); }, "Linear: x must be (..., in_features) with in_features = 3, found (4, 2)"},
      {[&] { linear(of()); }, "Linear: x must be (..., in_features) with in_features = 3, found ()"},
      {[&] { linear(of(4, 3).to(i64)); }, "Linear: x must be f32 or f64, found i64"},
      {[&] { linear({}); }, "Linear: x is undefined (a default-constructed Tensor)"},
  });
}

TEST(ModuleErrors, Embedding) {
  const Embedding embedding({.num_embeddings = 3, .embedding_dim = 2});
  expect_errors({
      {[] { Embedding({.embedding_dim = 2}); },
       "Embedding: num_embeddings must be given and at least 0, found -1"},
      {[] { Embedding({.num_embeddings = 2}); },
       "Embedding: embedding_dim must be given and at least 0, found -1"},
      {[&] { embedding(of(2)); }, "Embedding: indices must be i64, found f32"},
  });
}

TEST(ModuleErrors, LayerNorm) {
  const LayerNorm norm({.normalized_shape = {3, 5}});
  expect_errors({
      {[] { LayerNorm({}); }, "LayerNorm: normalized_shape must be given, with at least one size"},
      {[] { LayerNorm({.normalized_shape = {-2}}); },
       "LayerNorm: normalized_shape must not have negative sizes, found (-2,)"},
      {[] { LayerNorm({.normalized_shape = {2}, .epsilon = -1}); },
       "LayerNorm: epsilon must be finite and at least 0, found -1"},
      {[] { LayerNorm({.normalized_shape = {2}, .epsilon = std::nan("")}); },
       "LayerNorm: epsilon must be finite and at least 0, found nan"},
      {[&] { norm(of(3, 4)); }, "LayerNorm: x must end in normalized_shape = (3, 5), found (3, 4)"},
      {[&] { norm(of(5)); }, "LayerNorm: x must end in normalized_shape = (3, 5), found (5,)"},
  });
}

TEST(ModuleErrors, Dropout) {
  expect_errors({
      {[] { Dropout({.p = -0.1}); }, "Dropout: p must be in 0..1, found -0.1"},
      {[] { DotProductAttention({.dropout = 1.5}); }, "Dropout: p must be in 0..1, found 1.5"},
      {[] { Dropout({.p = std::nan("")}); }, "Dropout: p must be in 0..1, found nan"},
      {[] { Dropout()(ones({2}, i64)); }, "Dropout: x must be f32 or f64, found i64"},
  });
}

TEST(ModuleErrors, AdditiveAttention) {
  AdditiveAttention attention({.key_size = 2, .query_size = 3, .num_hiddens = 4});
  const Tensor q = of(2, 5, 3), k = of(2, 6, 2), v = of(2, 6, 4);
  expect_errors({
      {[] { AdditiveAttention({.query_size = 1, .num_hiddens = 1}); },
       "AdditiveAttention: key_size must be given and at least 0, found -1"},
      {[] { AdditiveAttention({.key_size = 1, .num_hiddens = 1}); },
       "AdditiveAttention: query_size must be given and at least 0, found -1"},
      {[] { AdditiveAttention({.key_size = 1, .query_size = 1}); },
       "AdditiveAttention: num_hiddens must be given and at least 0, found -1"},
      {[&] { attention(k, k, v); },
       "AdditiveAttention: queries must be (..., query_size) with query_size = 3, found (2, 6, 2)"},
      {[&] { attention(q, v, v); },
       "AdditiveAttention: keys must be (..., key_size) with key_size = 2, found (2, 6, 4)"},
      {[&] { attention(q, k[0], v); },
       "AdditiveAttention: keys must have the rank and batch size of queries (2, 5, 3), found (6, 2)"},
      {[&] { attention(q[0], k, v); },
       "AdditiveAttention: keys must have the rank and batch size of queries (5, 3), found (2, 6, 2)"},
      {[&] { attention(q, k.slice(0, {.stop = 1}), v); },
       "AdditiveAttention: keys must have the rank and batch size of queries (2, 5, 3), found (1, 6, 2)"},
      {[&] { attention(q, k, q); },
       "AdditiveAttention: values must match keys (2, 6, 2) in all but the last dimension, found (2, 5, 3)"},
      {[&] { attention(q[0][0], k, v); },
       "AdditiveAttention: queries must be (B, Lq, size) or (Lq, size), found (3,)"},
      {[&] { attention(q, k.to(f64), v); }, "AdditiveAttention: keys must be f32, found f64"},
      {[&] { attention(q, k, {}); }, "AdditiveAttention: values is undefined (a default-constructed Tensor)"},
      {[&] { attention.attention_weights(); },
       "AdditiveAttention: attention_weights: there was no forward yet; call the module first"},
      {[&] {
         attention(q, k, v, valid_lens({1, 2, 3}));
       },
       "attend: valid_lens must have shape (2,) or (2, 5), found (3,)"},
  });
}

TEST(ModuleErrors, AttentionLayer) {
  AttentionLayer layer({.d_k = 2, .d_input = 3});
  const Tensor x = of(2, 5, 3);
  expect_errors({
      {[] { AttentionLayer({.d_input = 1}); }, "AttentionLayer: d_k must be given and at least 1, found -1"},
      {[] { AttentionLayer({.d_k = 1}); }, "AttentionLayer: d_input must be given and at least 0, found -1"},
      {[&] { layer(of(2, 5, 4), x, x); },
       "AttentionLayer: queries must be (..., d_input) with d_input = 3, found (2, 5, 4)"},
      {[&] { layer(x, of(2, 5, 4), x); },
       "AttentionLayer: keys must be (..., d_input) with d_input = 3, found (2, 5, 4)"},
      {[&] { layer(x, x, of(2, 5, 4)); },
       "AttentionLayer: values must be (..., d_input) with d_input = 3, found (2, 5, 4)"},
      {[&] { layer.attention_weights(); },
       "AttentionLayer: attention_weights: there was no forward yet; call the module first"},
  });
}

TEST(ModuleErrors, MultiHeadAttention) {
  MultiHeadAttention attention({.hidden = 6, .heads = 2, .query_size = 3, .key_size = 4, .value_size = 5});
  const Tensor q = of(2, 7, 3), k = of(2, 8, 4), v = of(2, 8, 5);
  expect_errors({
      {[] { MultiHeadAttention({.heads = 1}); },
       "MultiHeadAttention: hidden must be given and at least 1, found -1"},
      {[] { MultiHeadAttention({.hidden = 1}); },
       "MultiHeadAttention: heads must be given and at least 1, found -1"},
      {[] { MultiHeadAttention({.hidden = 10, .heads = 3}); },
       "MultiHeadAttention: hidden must be a multiple of heads, found hidden = 10, heads = 3"},
      {[] { MultiHeadAttention({.hidden = 2, .heads = 1, .key_size = -2}); },
       "MultiHeadAttention: key_size must be at least 0, found -2"},
      {[&] { attention(k, k, v); },
       "MultiHeadAttention: queries must be (..., query_size) with query_size = 3, found (2, 8, 4)"},
      {[&] { attention(q, v, v); },
       "MultiHeadAttention: keys must be (..., key_size) with key_size = 4, found (2, 8, 5)"},
      {[&] { attention(q, k, k); },
       "MultiHeadAttention: values must be (..., value_size) with value_size = 5, found (2, 8, 4)"},
      {[&] { attention(q.unsqueeze(0), k, v); },
       "MultiHeadAttention: queries must be (B, Lq, size) or (Lq, size), found (1, 2, 7, 3)"},
      {[&] { attention.attention_weights(); },
       "MultiHeadAttention: attention_weights: there was no forward yet; call the module first"},
      {[&] { attention.attention.attention_weights(); },
       "DotProductAttention: attention_weights: there was no forward yet; call the module first"},
      {[&] { attention(q, k, v, mask(of(3, 7, 8).to(boolean))); },
       "attend: mask: shape (3, 7, 8) does not broadcast to the scores (2, 2, 7, 8)"},
      {[] { multi_head_attention_layer({.d_k = 4, .d_input = 2}); },
       "multi_head_attention_layer: n_head must be given and at least 1, found -1"},
      {[] { multi_head_attention_layer({.n_head = 3, .d_k = 4, .d_input = 2}); },
       "multi_head_attention_layer: d_k must be given and a multiple of n_head = 3, found 4"},
      {[] { multi_head_attention_layer({.n_head = 2, .d_k = 4}); },
       "multi_head_attention_layer: d_input must be given and at least 1, found -1"},
      {[] { transpose_qkv(of(6), 2); }, "transpose_qkv: X must be (B, L, hidden) or (L, hidden), found (6,)"},
      {[] { transpose_qkv(of(2, 6), 4); }, "transpose_qkv: heads must divide hidden = 6, found 4"},
      {[] { transpose_qkv(of(2, 6), 0); }, "transpose_qkv: heads must divide hidden = 6, found 0"},
      {[] { transpose_output(of(2, 6), 2); },
       "transpose_output: X must be (B, heads, L, d) or (heads, L, d), found (2, 6)"},
      {[] { transpose_output(of(2, 4, 5), 3); },
       "transpose_output: X must have heads = 3 in dimension -3, found (2, 4, 5)"},
  });
}

TEST(ModuleErrors, SelfAttention) {
  SelfAttention attention({.hidden = 6, .heads = 2});
  expect_errors({
      {[] { SelfAttention({.hidden = 10, .heads = 3}); },
       "SelfAttention: hidden must be a multiple of heads, found hidden = 10, heads = 3"},
      {[&] { attention(of(2, 5)); },
       "SelfAttention: x must be (B, L, input_size) or (L, input_size) with input_size = 6, found (2, 5)"},
      {[&] { attention(of(2, 6).to(boolean)); }, "SelfAttention: x must be f32 or f64, found boolean"},
  });
}

TEST(ModuleErrors, PositionalEncodings) {
  PositionalEncoding fixed({.num_hiddens = 4, .max_len = 3});
  const LearnedPositionalEncoding learned({.num_hiddens = 4, .max_len = 3});
  expect_errors({
      {[] { PositionalEncoding({}); },
       "PositionalEncoding: num_hiddens must be given and at least 0, found -1"},
      {[] { PositionalEncoding({.num_hiddens = 1, .max_len = -1}); },
       "PositionalEncoding: max_len must be at least 0, found -1"},
      {[&] { fixed(of(2, 3, 5)); },
       "PositionalEncoding: x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = 4, found "
       "(2, 3, 5)"},
      {[&] { fixed(of(4)); },
       "PositionalEncoding: x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = 4, found "
       "(4,)"},
      {[&] { fixed(of(2, 5, 4)); },
       "PositionalEncoding: x must be no longer than max_len = 3, found (2, 5, 4); {.grow = true} makes the "
       "table "
       "longer"},
      {[&] { fixed.P(i64); }, "PositionalEncoding: P: dtype must be f32 or f64, found i64"},
      {[] { sinusoidal_encoding(-1, 2); }, "sinusoidal_encoding: length must be at least 0, found -1"},
      {[] { sinusoidal_encoding(2, -1); }, "sinusoidal_encoding: width must be at least 0, found -1"},
      {[] { LearnedPositionalEncoding({}); },
       "LearnedPositionalEncoding: num_hiddens must be given and at least 0, found -1"},
      {[&] { learned(of(5)); },
       "LearnedPositionalEncoding: x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = 4, "
       "found (5,)"},
      {[&] { learned(of(5, 4)); },
       "LearnedPositionalEncoding: x must be no longer than max_len = 3, found (5, 4)"},
  });
}

TEST(ModuleErrors, NWKernelRegression) {
  NWKernelRegression net;
  const Tensor x = of(3), rows = of(3, 5);
  expect_errors({
      {[&] { net(rows, rows, rows); }, "NWKernelRegression: queries must be (n,), found (3, 5)"},
      {[&] { net(x, of(2, 5), rows); },
       "NWKernelRegression: keys must be (n, m) or (m,) with n = 3, found (2, 5)"},
      {[&] { net(x, rows, of()); }, "NWKernelRegression: values must be (n, m) or (m,) with n = 3, found ()"},
      {[&] { net(x, rows, of(4)); }, "NWKernelRegression: keys (3, 5) and values (4,) must have the same m"},
      {[&] { net(x, rows, rows.to(f64)); }, "NWKernelRegression: values must be f32, found f64"},
      {[&] { net.attention_weights(); },
       "NWKernelRegression: attention_weights: there was no forward yet; call the module first"},
      {[] { leave_one_out(of(0)); }, "leave_one_out: x must be (n,) with at least one point, found (0,)"},
      {[] { leave_one_out(of(2, 2)); },
       "leave_one_out: x must be (n,) with at least one point, found (2, 2)"},
  });
  (void)net(x, rows, rows);
  expect_errors({
      {[&] { net.attention_weights({.rows = {3}}); },
       "NWKernelRegression: attention_weights: row 3 does not exist, there are 3"},
  });
}

}  // namespace
}  // namespace heed::nn
