// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// AdamW (Loshchilov and Hutter 2017): Adam whose weight decay does not pass through the moments.
#pragma once

#include <heed/optim/adam.h>

namespace heed::optim {

struct AdamWOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-2;
  bool amsgrad = false;
};

/// p *= 1 - lr weight_decay, then Adam's step without decay.
class HEED_API AdamW final : public Adam {
 public:
  explicit AdamW(std::vector<Tensor> parameters, const AdamWOptions& options = {});
};

}  // namespace heed::optim
