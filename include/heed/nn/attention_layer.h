// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One head of attention with its four linear layers.
#pragma once

#include <heed/nn/dot_product_attention.h>
#include <heed/nn/linear.h>
#include <heed/nn/module_list.h>

namespace heed::nn {

struct AttentionLayerOptions {
  std::int64_t d_k = -1;      ///< to be given
  std::int64_t d_input = -1;  ///< to be given
  Dtype dtype = f32;
};

/// queries (B, Lq, d_input), keys and values (B, Lk, d_input) -> (B, Lq, d_k); also all without B. linears holds the
/// projections of queries, keys and values, d_input -> d_k, and the output layer, d_k -> d_k. (The notes make the last
/// one d_input -> d_k too, which fits what it is applied to only when both are equal.)
class HEED_API AttentionLayer : public Module {
 public:
  explicit AttentionLayer(const AttentionLayerOptions& options);

  Tensor operator()(const Tensor& queries, const Tensor& keys, const Tensor& values, const Mask& mask = {});

  /// The weights of the last forward, (B, Lq, Lk), computed now and only where asked for. An Error before the first
  /// forward.
  Tensor attention_weights(const WeightsPart& part = {}) const;

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  ModuleList<Linear> linears;

 private:
  AttentionWeights weights_;
};

}  // namespace heed::nn
