// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Gradients against central differences in f64.
#pragma once

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace heed::test {

using Function = std::function<Tensor(const std::vector<Tensor>&)>;

struct GradcheckOptions {
  double step = 0x1p-17;
  double tolerance = 1e-6;               ///< relative to the entry, or to a hundredth of the largest
  std::int64_t largest_jacobian = 1024;  ///< above it, random directions instead of every entry
  int directions = 4;
  std::uint64_t seed = 1;
};

/// EXPECT_TRUE(gradients_match(f, {x, y})): every f64 input of f is checked, the others are passed through.
/// The full Jacobian if it is small, otherwise random directions in and out. The failure names input and entry.
testing::AssertionResult gradients_match(const Function& f, const std::vector<Tensor>& inputs,
                                         const GradcheckOptions& options = {});

}  // namespace heed::test
