// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Multi-head attention (Vaswani et al. 2017): several projections of the input attend side by side.
#pragma once

#include <heed/nn/dot_product_attention.h>
#include <heed/nn/linear.h>

#include <optional>

namespace heed::nn {

struct MultiHeadAttentionOptions {
  std::int64_t hidden = -1;  ///< to be given; a multiple of heads
  std::int64_t heads = -1;   ///< to be given
  double dropout = 0;
  bool bias = false;
  std::int64_t query_size = 0;  ///< 0 means hidden
  std::int64_t key_size = 0;    ///< 0 means hidden
  std::int64_t value_size = 0;  ///< 0 means hidden
  Dtype dtype = f32;
};

/// queries (B, Lq, query_size), keys (B, Lk, key_size), values (B, Lk, value_size) -> (B, Lq, hidden); also all
/// without B. The mask is one for the scores (B, H, Lq, Lk): valid_lens, causal and window hold for every head; a
/// boolean tensor broadcasts to that shape, so that one per batch entry is (B, 1, Lq, Lk). What lies in keys and
/// values that no query may attend to changes no bit of any result or gradient, those of the parameters included.
class HEED_API MultiHeadAttention : public Module {
 public:
  explicit MultiHeadAttention(const MultiHeadAttentionOptions& options);

  Tensor operator()(const Tensor& queries, const Tensor& keys, const Tensor& values, const Mask& mask = {});

  /// The weights of the last forward, (B, H, Lq, Lk) or (H, Lq, Lk), before dropout, computed now and only where
  /// asked for. An Error before the first forward.
  Tensor attention_weights(const WeightsPart& part = {}) const;

  std::int64_t heads() const noexcept { return heads_; }

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  DotProductAttention attention;
  Linear W_q;  ///< query_size -> hidden
  Linear W_k;  ///< key_size -> hidden
  Linear W_v;  ///< value_size -> hidden
  Linear W_o;  ///< hidden -> hidden

 protected:
  /// For modules built on this one: `module` is the name that errors begin with.
  MultiHeadAttention(const MultiHeadAttentionOptions& options, const char* module);

 private:
  std::int64_t heads_;
  std::optional<bool> batched_;  ///< whether the last forward had a batch dimension
};

struct MultiHeadAttentionLayerOptions {
  std::int64_t n_head = -1;   ///< to be given
  std::int64_t d_k = -1;      ///< to be given; a multiple of n_head
  std::int64_t d_input = -1;  ///< to be given
  Dtype dtype = f32;
};

/// The notes' Multi_head_attention_layer: a MultiHeadAttention with biases, from d_input to d_k.
HEED_API MultiHeadAttention multi_head_attention_layer(const MultiHeadAttentionLayerOptions& options);

/// A view of X (B, L, hidden) as its heads, (B, heads, L, hidden/heads); also without B. Nothing is copied. (The notes
/// fold batch and heads into one dimension; here they stay apart.)
HEED_API Tensor transpose_qkv(const Tensor& X, std::int64_t heads);

/// The way back: X (B, heads, L, d) -> (B, L, heads * d); also without B. A view if X lies in memory as the result of
/// transpose_qkv does, else a copy.
HEED_API Tensor transpose_output(const Tensor& X, std::int64_t heads);

}  // namespace heed::nn
