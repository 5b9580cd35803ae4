// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/self_attention.h>

#include "core/check.h"

namespace heed::nn {

SelfAttention::SelfAttention(const SelfAttentionOptions& options)
    : MultiHeadAttention({.hidden = options.hidden,
                          .heads = options.heads,
                          .dropout = options.dropout,
                          .bias = options.bias,
                          .query_size = options.input_size,
                          .key_size = options.input_size,
                          .value_size = options.input_size,
                          .dtype = options.dtype},
                         "SelfAttention") {}

Tensor SelfAttention::operator()(const Tensor& x, const Mask& mask) {
  check_floating(x, "SelfAttention", "x");
  check((x.rank() == 2 || x.rank() == 3) && x.size(-1) == W_q.weight.size(1), "SelfAttention",
        "x must be (B, L, input_size) or (L, input_size) with input_size = {}, found {}", W_q.weight.size(1),
        x.shape());
  return MultiHeadAttention::operator()(x, x, x, mask);
}

std::string SelfAttention::type_name() const { return "SelfAttention"; }

}  // namespace heed::nn
