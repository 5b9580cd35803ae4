// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention as a module: softmax(Q K^T / sqrt(D)) V
#pragma once

#include <heed/attend.h>
#include <heed/nn/dropout.h>

namespace heed::nn {

struct DotProductAttentionOptions {
  double dropout = 0;
};

/// attend() with ScaledDot; shapes, masks and gradients are those of attend(). Keeps queries and keys of the last
/// forward, so that its weights can be asked for.
class HEED_API DotProductAttention : public Module {
 public:
  explicit DotProductAttention(const DotProductAttentionOptions& options = {});

  Tensor operator()(const Tensor& queries, const Tensor& keys, const Tensor& values, const Mask& mask = {});

  /// The weights of the last forward, before dropout, computed now and only where asked for. An Error before the
  /// first forward.
  Tensor attention_weights(const WeightsPart& part = {}) const;

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  Dropout dropout;

 private:
  AttentionWeights weights_;
};

}  // namespace heed::nn
