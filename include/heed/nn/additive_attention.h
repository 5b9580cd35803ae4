// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Additive attention (Bahdanau et al. 2014) as a module: a(q, k) = w_v . tanh(W_q q + W_k k)
#pragma once

#include <heed/attend.h>
#include <heed/nn/dropout.h>
#include <heed/nn/linear.h>

namespace heed::nn {

struct AdditiveAttentionOptions {
  std::int64_t key_size = -1;     ///< to be given
  std::int64_t query_size = -1;   ///< to be given
  std::int64_t num_hiddens = -1;  ///< to be given
  double dropout = 0;
  Dtype dtype = f32;
};

/// queries (B, Lq, query_size), keys (B, Lk, key_size), values (B, Lk, Dv) -> (B, Lq, Dv); also all without B.
/// What lies in masked keys and values changes no bit of any result or gradient, those of the parameters included.
class HEED_API AdditiveAttention : public Module {
 public:
  explicit AdditiveAttention(const AdditiveAttentionOptions& options);

  Tensor operator()(const Tensor& queries, const Tensor& keys, const Tensor& values, const Mask& mask = {});

  /// The weights of the last forward, (B, Lq, Lk), before dropout, computed now and only where asked for. An Error
  /// before the first forward.
  Tensor attention_weights(const WeightsPart& part = {}) const;

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  Linear W_k;  ///< key_size -> num_hiddens
  Linear W_q;  ///< query_size -> num_hiddens
  Linear w_v;  ///< num_hiddens -> 1
  Dropout dropout;

 private:
  AttentionWeights weights_;
};

}  // namespace heed::nn
