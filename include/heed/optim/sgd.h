// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Gradient descent, with momentum if asked for.
#pragma once

#include <heed/optim/optimizer.h>

namespace heed::optim {

struct SGDOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

/// g += weight_decay p;  m = momentum m + (1 - dampening) g, in the first step m = g;
/// p -= lr m, with nesterov p -= lr (g + momentum m).
class HEED_API SGD final : public Optimizer {
 public:
  explicit SGD(std::vector<Tensor> parameters, const SGDOptions& options = {});

 private:
  void update(const Tensor& parameter, const Tensor& grad, const Memory& memory) override;

  SGDOptions options_;
};

}  // namespace heed::optim
