// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/multi_head_attention.h>

#include "attention/attended.h"
#include "core/check.h"
#include "nn/sequences.h"

namespace heed::nn {
namespace {

const MultiHeadAttentionOptions& checked(const MultiHeadAttentionOptions& options, const char* module) {
  check(options.hidden >= 1, module, "hidden must be given and at least 1, found {}", options.hidden);
  check(options.heads >= 1, module, "heads must be given and at least 1, found {}", options.heads);
  check(options.hidden % options.heads == 0, module,
        "hidden must be a multiple of heads, found hidden = {}, heads = {}", options.hidden, options.heads);
  check(options.query_size >= 0, module, "query_size must be at least 0, found {}", options.query_size);
  check(options.key_size >= 0, module, "key_size must be at least 0, found {}", options.key_size);
  check(options.value_size >= 0, module, "value_size must be at least 0, found {}", options.value_size);
  return options;
}

/// From `in` features, 0 meaning hidden, to hidden.
Linear projection(std::int64_t in, const MultiHeadAttentionOptions& options) {
  return Linear({.in_features = in == 0 ? options.hidden : in,
                 .out_features = options.hidden,
                 .bias = options.bias,
                 .dtype = options.dtype});
}

/// A length that holds for a lone sequence, as one for a batch of one.
Mask for_batch_of_one(const Mask& mask) {
  Mask batched;
  for (const Mask::Term& term : mask.terms()) {
    const auto* lens = std::get_if<Mask::ValidLens>(&term);
    batched =
        batched & (lens && lens->lengths.rank() == 0 ? valid_lens(lens->lengths.reshape({1})) : Mask(term));
  }
  return batched;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionOptions& options)
    : MultiHeadAttention(options, "MultiHeadAttention") {}

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionOptions& options, const char* module)
    : attention({.dropout = checked(options, module).dropout}),
      W_q(projection(options.query_size, options)),
      W_k(projection(options.key_size, options)),
      W_v(projection(options.value_size, options)),
      W_o(projection(0, options)),
      heads_(options.heads) {}

Tensor MultiHeadAttention::operator()(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                      const Mask& mask) {
  const std::string module = type_name();
  check_sequences(module, queries, keys, values);
  check_width(module, queries, "queries", W_q.weight.size(1), "query_size");
  check_width(module, keys, "keys", W_k.weight.size(1), "key_size");
  check_width(module, values, "values", W_v.weight.size(1), "value_size");
  if (queries.rank() == 2) {
    const Tensor out =
        (*this)(queries.unsqueeze(0), keys.unsqueeze(0), values.unsqueeze(0), for_batch_of_one(mask));
    batched_ = false;
    return out.squeeze(0);
  }
  const Sequences kept = zero_unattended({queries, keys, values}, mask, heads_);
  const Tensor pooled =
      attention(transpose_qkv(W_q(kept.queries), heads_), transpose_qkv(W_k(kept.keys), heads_),
                transpose_qkv(W_v(kept.values), heads_), mask);
  batched_ = true;
  return W_o(transpose_output(pooled, heads_));
}

Tensor MultiHeadAttention::attention_weights(const WeightsPart& part) const {
  check_forwarded(type_name(), batched_.has_value());
  const Tensor weights = attention.attention_weights(part);
  return *batched_ ? weights : weights.squeeze(0);
}

std::string MultiHeadAttention::type_name() const { return "MultiHeadAttention"; }

void MultiHeadAttention::visit(Visitor& visitor) {
  visitor.module("attention", attention);
  visitor.module("W_q", W_q);
  visitor.module("W_k", W_k);
  visitor.module("W_v", W_v);
  visitor.module("W_o", W_o);
}

MultiHeadAttention multi_head_attention_layer(const MultiHeadAttentionLayerOptions& options) {
  const auto [n_head, d_k, d_input, dtype] = options;
  const char* module = "multi_head_attention_layer";
  check(n_head >= 1, module, "n_head must be given and at least 1, found {}", n_head);
  check(d_k >= 1 && d_k % n_head == 0, module, "d_k must be given and a multiple of n_head = {}, found {}",
        n_head, d_k);
  check(d_input >= 1, module, "d_input must be given and at least 1, found {}", d_input);
  return MultiHeadAttention({.hidden = d_k,
                             .heads = n_head,
                             .bias = true,
                             .query_size = d_input,
                             .key_size = d_input,
                             .value_size = d_input,
                             .dtype = dtype});
}

Tensor transpose_qkv(const Tensor& X, std::int64_t heads) {
  check_defined(X, "transpose_qkv", "X");
  check(X.rank() == 2 || X.rank() == 3, "transpose_qkv", "X must be (B, L, hidden) or (L, hidden), found {}",
        X.shape());
  const std::int64_t hidden = X.size(-1);
  check(heads >= 1 && hidden % heads == 0, "transpose_qkv", "heads must divide hidden = {}, found {}", hidden,
        heads);
  Shape split = X.shape();
  split[X.rank() - 1] = heads;
  split.push_back(hidden / heads);
  return X.reshape(split).transpose(-3, -2);
}

Tensor transpose_output(const Tensor& X, std::int64_t heads) {
  check_defined(X, "transpose_output", "X");
  check(X.rank() == 3 || X.rank() == 4, "transpose_output",
        "X must be (B, heads, L, d) or (heads, L, d), found {}", X.shape());
  check(X.size(-3) == heads, "transpose_output", "X must have heads = {} in dimension -3, found {}", heads,
        X.shape());
  Shape merged = X.rank() == 4 ? Shape{X.size(0)} : Shape{};
  merged.push_back(X.size(-2));
  merged.push_back(heads * X.size(-1));
  return X.transpose(-3, -2).reshape(merged);
}

}  // namespace heed::nn
