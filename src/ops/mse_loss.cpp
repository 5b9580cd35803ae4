// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

#include <heed/ops.h>

namespace heed {

Tensor mse_loss(const Tensor& prediction, const Tensor& target) {
  check_floating(prediction, "mse_loss", "prediction");
  check_floating(target, "mse_loss", "target");
  check(prediction.shape() == target.shape(), "mse_loss", "prediction {} and target {} differ in shape",
        prediction.shape(), target.shape());
  return mean(pow(prediction - target, 2));
}

}  // namespace heed
