// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention, the backward pass alone.
#include "cases.h"
#include "dot.h"

#include <fmt/format.h>

namespace heed::bench {
namespace {

Case backward_case(const std::string& name, const DotShape& shape) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = shape.text(),
          .work = {Work::Unit::kFlops, backward_flops(shape)},
          .prepare = backward(shape)};
}

}  // namespace

void add_backward_cases(Cases& cases) {
  for (const std::int64_t n : {512, 2048}) {
    cases.push_back(backward_case(fmt::format("backward_d64_n{}", n), {.n = n}));
  }
  const DotShape one_head{.heads = 1, .n = 4096};
  cases.push_back(backward_case("backward_one_head_n4096", one_head));
  Case speedup = backward_case("backward_one_head_n4096_speedup", one_head);
  speedup.against = Against{.name = "one thread", .prepare = backward(one_head), .threads = 1};
  cases.push_back(speedup);
}

}  // namespace heed::bench
