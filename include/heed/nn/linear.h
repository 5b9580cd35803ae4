// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// y = x W^T + b
#pragma once

#include <heed/nn/module.h>

namespace heed::nn {

struct LinearOptions {
  std::int64_t in_features = -1;   ///< to be given, 0 or more
  std::int64_t out_features = -1;  ///< to be given, 0 or more
  bool bias = true;
  Dtype dtype = f32;
};

/// (..., in_features) -> (..., out_features). Weight and bias start uniform on ±1/sqrt(in_features), as in PyTorch.
class HEED_API Linear : public Module {
 public:
  explicit Linear(const LinearOptions& options);

  Tensor operator()(const Tensor& x) const;

  std::string type_name() const override;
  std::string options_text() const override;
  void visit(Visitor& visitor) override;

  Tensor weight;  ///< (out_features, in_features)
  Tensor bias;    ///< (out_features,), undefined without a bias
};

}  // namespace heed::nn
