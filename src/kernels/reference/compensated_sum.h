// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Neumaier's sum: the error of adding n numbers stays that of adding two.
#pragma once

#include <cmath>

namespace heed::kernels::reference {

class CompensatedSum {
 public:
  void add(double x) noexcept {
    const double next = sum_ + x;
    // Where inf or NaN comes in the correction would turn inf into NaN, so it is left out.
    if (std::isfinite(next))
      correction_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  double value() const noexcept { return sum_ + correction_; }

 private:
  double sum_ = 0;
  double correction_ = 0;
};

}  // namespace heed::kernels::reference
