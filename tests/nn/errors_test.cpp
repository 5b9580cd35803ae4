// Every wrong argument of the modules: the call, and what the error says.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>
#include <functional>

namespace heed::nn {
namespace {

struct WrongCall {
  const char* expected;
  std::function<void()> call;
};

void expect_errors(std::initializer_list<WrongCall> calls) {
  for (const WrongCall& wrong : calls) {
    try {
      wrong.call();
      ADD_FAILURE() << "no error instead of: " << wrong.expected;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), wrong.expected);
    }
  }
}

TEST(ModuleErrors, Linear) {
  const Linear linear({.in_features = 3, .out_features = 2});
  expect_errors({
      {"Linear: in_features must be given and at least 0, found -1", [] { Linear({.out_features = 2}); }},
      {"Linear: out_features must be given and at least 0, found -1", [] { Linear({.in_features = 2}); }},
      {"Linear: dtype must be f32 or f64, found i64",
       [] { Linear({.in_features = 2, .out_features = 2, .dtype = i64}); }},
      {"Linear: x must be (..., in_features) with in_features = 3, found (4, 2)",
       [&] {
         linear(ones({4, 2}));
       }},
      {"Linear: x must be (..., in_features) with in_features = 3, found ()", [&] { linear(ones({})); }},
      {"Linear: x must be f32 or f64, found i64",
       [&] {
         linear(ones({4, 3}, i64));
       }},
      {"Linear: x is undefined (a default-constructed Tensor)", [&] { linear({}); }},
  });
}

TEST(ModuleErrors, Embedding) {
  const Embedding embedding({.num_embeddings = 3, .embedding_dim = 2});
  expect_errors({
      {"Embedding: num_embeddings must be given and at least 0, found -1",
       [] { Embedding({.embedding_dim = 2}); }},
      {"Embedding: embedding_dim must be given and at least 0, found -1",
       [] { Embedding({.num_embeddings = 2}); }},
      {"Embedding: indices must be i64, found f32", [&] { embedding(ones({2})); }},
  });
}

TEST(ModuleErrors, LayerNorm) {
  const LayerNorm norm({.normalized_shape = {3, 5}});
  expect_errors({
      {"LayerNorm: normalized_shape must be given, with at least one size", [] { LayerNorm({}); }},
      {"LayerNorm: normalized_shape must not have negative sizes, found (-2,)",
       [] { LayerNorm({.normalized_shape = {-2}}); }},
      {"LayerNorm: epsilon must be finite and at least 0, found -1",
       [] { LayerNorm({.normalized_shape = {2}, .epsilon = -1}); }},
      {"LayerNorm: epsilon must be finite and at least 0, found nan",
       [] { LayerNorm({.normalized_shape = {2}, .epsilon = std::nan("")}); }},
      {"LayerNorm: x must end in normalized_shape = (3, 5), found (3, 4)",
       [&] {
         norm(ones({3, 4}));
       }},
      {"LayerNorm: x must end in normalized_shape = (3, 5), found (5,)", [&] { norm(ones({5})); }},
  });
}

TEST(ModuleErrors, Dropout) {
  expect_errors({
      {"Dropout: p must be in 0..1, found -0.1", [] { Dropout({.p = -0.1}); }},
      {"Dropout: p must be in 0..1, found 1.5", [] { DotProductAttention({.dropout = 1.5}); }},
      {"Dropout: p must be in 0..1, found nan", [] { Dropout({.p = std::nan("")}); }},
      {"Dropout: x must be f32 or f64, found i64", [] { Dropout()(ones({2}, i64)); }},
  });
}

TEST(ModuleErrors, AdditiveAttention) {
  AdditiveAttention attention({.key_size = 2, .query_size = 3, .num_hiddens = 4});
  const Tensor q = ones({2, 5, 3}), k = ones({2, 6, 2}), v = ones({2, 6, 4});
  expect_errors({
      {"AdditiveAttention: key_size must be given and at least 0, found -1",
       [] { AdditiveAttention({.query_size = 1, .num_hiddens = 1}); }},
      {"AdditiveAttention: query_size must be given and at least 0, found -1",
       [] { AdditiveAttention({.key_size = 1, .num_hiddens = 1}); }},
      {"AdditiveAttention: num_hiddens must be given and at least 0, found -1",
       [] { AdditiveAttention({.key_size = 1, .query_size = 1}); }},
      {"AdditiveAttention: queries must be (..., query_size) with query_size = 3, found (2, 6, 2)",
       [&] { attention(k, k, v); }},
      {"AdditiveAttention: keys must be (..., key_size) with key_size = 2, found (2, 6, 4)",
       [&] { attention(q, v, v); }},
      {"AdditiveAttention: keys must have the rank and batch size of queries (2, 5, 3), found (6, 2)",
       [&] { attention(q, k[0], v); }},
      {"AdditiveAttention: keys must have the rank and batch size of queries (5, 3), found (2, 6, 2)",
       [&] { attention(q[0], k, v); }},
      {"AdditiveAttention: keys must have the rank and batch size of queries (2, 5, 3), found (1, 6, 2)",
       [&] { attention(q, k.slice(0, {.stop = 1}), v); }},
      {"AdditiveAttention: values must match keys (2, 6, 2) in all but the last dimension, found (2, 5, 3)",
       [&] { attention(q, k, q); }},
      {"AdditiveAttention: queries must be (B, Lq, size) or (Lq, size), found (3,)",
       [&] { attention(q[0][0], k, v); }},
      {"AdditiveAttention: keys must be f32, found f64", [&] { attention(q, k.to(f64), v); }},
      {"AdditiveAttention: values is undefined (a default-constructed Tensor)", [&] { attention(q, k, {}); }},
      {"AdditiveAttention: attention_weights: there was no forward yet; call the module first",
       [&] { attention.attention_weights(); }},
      {"attend: valid_lens must have shape (2,) or (2, 5), found (3,)",
       [&] {
         attention(q, k, v, valid_lens({1, 2, 3}));
       }},
  });
}

TEST(ModuleErrors, AttentionLayer) {
  AttentionLayer layer({.d_k = 2, .d_input = 3});
  const Tensor x = ones({2, 5, 3});
  expect_errors({
      {"AttentionLayer: d_k must be given and at least 1, found -1", [] { AttentionLayer({.d_input = 1}); }},
      {"AttentionLayer: d_input must be given and at least 0, found -1", [] { AttentionLayer({.d_k = 1}); }},
      {"AttentionLayer: queries must be (..., d_input) with d_input = 3, found (2, 5, 4)",
       [&] {
         layer(ones({2, 5, 4}), x, x);
       }},
      {"AttentionLayer: keys must be (..., d_input) with d_input = 3, found (2, 5, 4)",
       [&] {
         layer(x, ones({2, 5, 4}), x);
       }},
      {"AttentionLayer: values must be (..., d_input) with d_input = 3, found (2, 5, 4)",
       [&] {
         layer(x, x, ones({2, 5, 4}));
       }},
      {"AttentionLayer: attention_weights: there was no forward yet; call the module first",
       [&] { layer.attention_weights(); }},
  });
}

TEST(ModuleErrors, MultiHeadAttention) {
  MultiHeadAttention attention({.hidden = 6, .heads = 2, .query_size = 3, .key_size = 4, .value_size = 5});
  const Tensor q = ones({2, 7, 3}), k = ones({2, 8, 4}), v = ones({2, 8, 5});
  expect_errors({
      {"MultiHeadAttention: hidden must be given and at least 1, found -1",
       [] { MultiHeadAttention({.heads = 1}); }},
      {"MultiHeadAttention: heads must be given and at least 1, found -1",
       [] { MultiHeadAttention({.hidden = 1}); }},
      {"MultiHeadAttention: hidden must be a multiple of heads, found hidden = 10, heads = 3",
       [] { MultiHeadAttention({.hidden = 10, .heads = 3}); }},
      {"MultiHeadAttention: key_size must be at least 0, found -2",
       [] { MultiHeadAttention({.hidden = 2, .heads = 1, .key_size = -2}); }},
      {"MultiHeadAttention: queries must be (..., query_size) with query_size = 3, found (2, 8, 4)",
       [&] { attention(k, k, v); }},
      {"MultiHeadAttention: keys must be (..., key_size) with key_size = 4, found (2, 8, 5)",
       [&] { attention(q, v, v); }},
      {"MultiHeadAttention: values must be (..., value_size) with value_size = 5, found (2, 8, 4)",
       [&] { attention(q, k, k); }},
      {"MultiHeadAttention: queries must be (B, Lq, size) or (Lq, size), found (1, 2, 7, 3)",
       [&] { attention(q.unsqueeze(0), k, v); }},
      {"MultiHeadAttention: attention_weights: there was no forward yet; call the module first",
       [&] { attention.attention_weights(); }},
      {"DotProductAttention: attention_weights: there was no forward yet; call the module first",
       [&] { attention.attention.attention_weights(); }},
      {"attend: mask: shape (3, 7, 8) does not broadcast to the scores (2, 2, 7, 8)",
       [&] {
         attention(q, k, v, mask(ones({3, 7, 8}, boolean)));
       }},
      {"multi_head_attention_layer: n_head must be given and at least 1, found -1",
       [] { multi_head_attention_layer({.d_k = 4, .d_input = 2}); }},
      {"multi_head_attention_layer: d_k must be given and a multiple of n_head = 3, found 4",
       [] { multi_head_attention_layer({.n_head = 3, .d_k = 4, .d_input = 2}); }},
      {"multi_head_attention_layer: d_input must be given and at least 1, found -1",
       [] { multi_head_attention_layer({.n_head = 2, .d_k = 4}); }},
      {"transpose_qkv: X must be (B, L, hidden) or (L, hidden), found (6,)",
       [] { transpose_qkv(ones({6}), 2); }},
      {"transpose_qkv: heads must divide hidden = 6, found 4",
       [] {
         transpose_qkv(ones({2, 6}), 4);
       }},
      {"transpose_qkv: heads must divide hidden = 6, found 0",
       [] {
         transpose_qkv(ones({2, 6}), 0);
       }},
      {"transpose_output: X must be (B, heads, L, d) or (heads, L, d), found (2, 6)",
       [] {
         transpose_output(ones({2, 6}), 2);
       }},
      {"transpose_output: X must have heads = 3 in dimension -3, found (2, 4, 5)",
       [] {
         transpose_output(ones({2, 4, 5}), 3);
       }},
  });
}

TEST(ModuleErrors, SelfAttention) {
  SelfAttention attention({.hidden = 6, .heads = 2});
  expect_errors({
      {"SelfAttention: hidden must be a multiple of heads, found hidden = 10, heads = 3",
       [] { SelfAttention({.hidden = 10, .heads = 3}); }},
      {"SelfAttention: x must be (B, L, input_size) or (L, input_size) with input_size = 6, found (2, 5)",
       [&] {
         attention(ones({2, 5}));
       }},
      {"SelfAttention: x must be f32 or f64, found boolean",
       [&] {
         attention(ones({2, 6}, boolean));
       }},
  });
}

TEST(ModuleErrors, PositionalEncodings) {
  PositionalEncoding fixed({.num_hiddens = 4, .max_len = 3});
  const LearnedPositionalEncoding learned({.num_hiddens = 4, .max_len = 3});
  expect_errors({
      {"PositionalEncoding: num_hiddens must be given and at least 0, found -1",
       [] { PositionalEncoding({}); }},
      {"PositionalEncoding: max_len must be at least 0, found -1",
       [] { PositionalEncoding({.num_hiddens = 1, .max_len = -1}); }},
      {"PositionalEncoding: x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = 4, found "
       "(2, 3, 5)",
       [&] {
         fixed(ones({2, 3, 5}));
       }},
      {"PositionalEncoding: x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = 4, found "
       "(4,)",
       [&] { fixed(ones({4})); }},
      {"PositionalEncoding: x must be no longer than max_len = 3, found (2, 5, 4); {.grow = true} makes the "
       "table "
       "longer",
       [&] {
         fixed(ones({2, 5, 4}));
       }},
      {"PositionalEncoding: P: dtype must be f32 or f64, found i64", [&] { fixed.P(i64); }},
      {"sinusoidal_encoding: length must be at least 0, found -1", [] { sinusoidal_encoding(-1, 2); }},
      {"sinusoidal_encoding: width must be at least 0, found -1", [] { sinusoidal_encoding(2, -1); }},
      {"LearnedPositionalEncoding: num_hiddens must be given and at least 0, found -1",
       [] { LearnedPositionalEncoding({}); }},
      {"LearnedPositionalEncoding: x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = 4, "
       "found (5,)",
       [&] { learned(ones({5})); }},
      {"LearnedPositionalEncoding: x must be no longer than max_len = 3, found (5, 4)",
       [&] {
         learned(ones({5, 4}));
       }},
  });
}

TEST(ModuleErrors, NWKernelRegression) {
  NWKernelRegression net;
  const Tensor x = ones({3}), rows = ones({3, 5});
  expect_errors({
      {"NWKernelRegression: queries must be (n,), found (3, 5)", [&] { net(rows, rows, rows); }},
      {"NWKernelRegression: keys must be (n, m) or (m,) with n = 3, found (2, 5)",
       [&] {
         net(x, ones({2, 5}), rows);
       }},
      {"NWKernelRegression: values must be (n, m) or (m,) with n = 3, found ()",
       [&] { net(x, rows, ones({})); }},
      {"NWKernelRegression: keys (3, 5) and values (4,) must have the same m",
       [&] { net(x, rows, ones({4})); }},
      {"NWKernelRegression: values must be f32, found f64", [&] { net(x, rows, rows.to(f64)); }},
      {"NWKernelRegression: attention_weights: there was no forward yet; call the module first",
       [&] { net.attention_weights(); }},
      {"leave_one_out: x must be (n,) with at least one point, found (0,)", [] { leave_one_out(ones({0})); }},
      {"leave_one_out: x must be (n,) with at least one point, found (2, 2)",
       [] {
         leave_one_out(ones({2, 2}));
       }},
  });
  (void)net(x, rows, rows);
  expect_errors({
      {"NWKernelRegression: attention_weights: row 3 does not exist, there are 3",
       [&] { net.attention_weights({.rows = {3}}); }},
  });
}

}  // namespace
}  // namespace heed::nn
