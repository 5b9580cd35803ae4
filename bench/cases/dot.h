// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the cases of scaled dot-product attention share: operands, how many operations are needed, and runs.
#pragma once

#include "case.h"

#include <heed/heed.h>

#include <cstdint>
#include <string>

namespace heed::bench {

/// Self-attention: as many queries as keys, values as wide as keys.
struct DotShape {
  std::int64_t batch = 1;
  std::int64_t heads = 8;
  std::int64_t n = 512;
  std::int64_t d = 64;
  Dtype dtype = f32;

  std::string text() const;  ///< "b1 h8 n512 d64"
};

struct DotOperands {
  Tensor queries, keys, values;

  explicit DotOperands(const DotShape& shape);
  /// Asks for the gradient of all three.
  DotOperands& with_gradients();
  void clear_gradients() const;
};

/// Two products of n x n x d for each head, less what a causal mask leaves out.
enum class Pairs : std::uint8_t { kAll, kCausal };
double forward_flops(const DotShape& shape, Pairs pairs = Pairs::kAll);
/// Five products: the scores again, and the gradients of values, weights, queries and keys.
double backward_flops(const DotShape& shape);

/// attend(), nothing recorded.
Prepare forward(const DotShape& shape, const AttendOptions& options = {});
/// The backward pass alone, on a graph that is recorded once.
Prepare backward(const DotShape& shape);
/// attend() and its backward pass.
Prepare forward_and_backward(const DotShape& shape, const AttendOptions& options = {});

}  // namespace heed::bench
