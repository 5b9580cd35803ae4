// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Nadaraya-Watson kernel regression with a learnable width:  f(q) = sum_i softmax_i( -((q - k_i) w)^2 / 2 ) v_i
#pragma once

#include <heed/attend.h>
#include <heed/nn/module.h>

namespace heed::nn {

struct NWKernelRegressionOptions {
  Dtype dtype = f32;
};

/// queries (n,), keys and values (n, m), a row for each query -> (n,). Keys or values may also be (m,), the same for
/// all queries. attend() with Gaussian{.w = w}; without anything to learn, attend() itself is the estimator.
class HEED_API NWKernelRegression : public Module {
 public:
  explicit NWKernelRegression(const NWKernelRegressionOptions& options = {});

  Tensor operator()(const Tensor& queries, const Tensor& keys, const Tensor& values);

  /// The weights of the last forward, (n, m) or the chosen rows of it, computed now. An Error before the first forward.
  Tensor attention_weights(const WeightsPart& part = {}) const;

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  Tensor w;  ///< (1,), the inverse of the bandwidth; starts uniform on [0, 1)

 private:
  AttentionWeights weights_;
};

/// x (n,) -> (n, n-1): row i is x without x[i]. The notes' keys and values for training, where no point may look at
/// itself.
HEED_API Tensor leave_one_out(const Tensor& x);

}  // namespace heed::nn
