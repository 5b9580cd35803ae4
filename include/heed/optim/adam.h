// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Adam (Kingma and Ba 2014), with AMSGrad (Reddi et al. 2018) if asked for.
#pragma once

#include <heed/optim/optimizer.h>

namespace heed::optim {

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;
};

/// g += weight_decay p;  m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;  in step t
/// p -= lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon), with amsgrad by the largest v so far.
class HEED_API Adam : public Optimizer {
 public:
  explicit Adam(std::vector<Tensor> parameters, const AdamOptions& options = {});

 protected:
  /// Whether the decay is part of the gradient or acts on the parameter by itself.
  enum class Decay : std::uint8_t { kGradient, kParameter };
  struct Variant {
    const char* name = "";
    Decay decay = Decay::kGradient;
  };
  Adam(std::vector<Tensor> parameters, const AdamOptions& options, const Variant& variant);

 private:
  void update(const Tensor& parameter, const Tensor& grad, const Memory& memory) override;

  AdamOptions options_;
  Decay decay_;
};

}  // namespace heed::optim
