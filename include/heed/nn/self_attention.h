// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Self-attention: a sequence attends to itself.
#pragma once

#include <heed/nn/multi_head_attention.h>

namespace heed::nn {

struct SelfAttentionOptions {
  std::int64_t hidden = -1;  ///< to be given; a multiple of heads
  std::int64_t heads = -1;   ///< to be given
  double dropout = 0;
  bool bias = false;
  std::int64_t input_size = 0;  ///< 0 means hidden
  Dtype dtype = f32;
};

/// x (B, L, input_size) -> (B, L, hidden), also without B: MultiHeadAttention with x for queries, keys and values.
/// Permuting the positions of x permutes those of the result; see PositionalEncoding.
class HEED_API SelfAttention : public MultiHeadAttention {
 public:
  explicit SelfAttention(const SelfAttentionOptions& options);

  Tensor operator()(const Tensor& x, const Mask& mask = {});

  std::string type_name() const override;
};

}  // namespace heed::nn
