// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

#include <heed/ops.h>

namespace heed {

Tensor l2_loss(const Tensor& prediction, const Tensor& target) {
  check_floating(prediction, "l2_loss", "prediction");
  check_floating(target, "l2_loss", "target");
  check(prediction.shape() == target.shape(), "l2_loss", "prediction {} and target {} differ in shape",
        prediction.shape(), target.shape());
  check(prediction.rank() >= 1, "l2_loss", "prediction must have a first dim, the samples; found {}",
        prediction.shape());
  const Tensor half_squares = pow(prediction - target, 2) * 0.5;
  Dims rest;
  for (std::int64_t i = 1; i < prediction.rank(); ++i) rest.push_back(i);
  return rest.empty() ? half_squares : mean(half_squares, rest);
}

}  // namespace heed
