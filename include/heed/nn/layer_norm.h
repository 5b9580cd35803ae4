// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// (x - mean) / sqrt(variance + epsilon) * weight + bias
#pragma once

#include <heed/nn/module.h>

namespace heed::nn {

struct LayerNormOptions {
  Shape normalized_shape = {};  ///< to be given: the last sizes of the input
  double epsilon = 1e-5;
  Dtype dtype = f32;
};

/// Mean and variance over the last dimensions, those of normalized_shape. Starts with weight 1 and bias 0.
class HEED_API LayerNorm : public Module {
 public:
  explicit LayerNorm(const LayerNormOptions& options);

  Tensor operator()(const Tensor& x) const;

  std::string type_name() const override;
  std::string options_text() const override;
  void visit(Visitor& visitor) override;

  double epsilon() const noexcept { return epsilon_; }

  Tensor weight;  ///< normalized_shape
  Tensor bias;    ///< normalized_shape

 private:
  double epsilon_;
};

}  // namespace heed::nn
