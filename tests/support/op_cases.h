// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One list of operations, run through many tests: gradients, strides, threads, precision.
#pragma once

#include "support/gradcheck.h"
#include "support/tensors.h"

#include <ostream>
#include <string>
#include <vector>

namespace heed::test {

struct OpCase {
  struct Input {
    Shape shape;
    Interval interval = {-2, 2};
  };
  std::string name;
  Function f;
  std::vector<Input> inputs;

  /// Random inputs in the intervals where f is smooth.
  std::vector<Tensor> make(Dtype dtype, std::uint64_t seed = 1) const;

  friend void PrintTo(const OpCase& op_case, std::ostream* out) { *out << op_case.name; }
};

/// Every operation that carries a gradient, in each of its forms; shapes small and odd.
const std::vector<OpCase>& op_cases();

}  // namespace heed::test
