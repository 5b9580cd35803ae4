// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention, forward.
#include "cases.h"
#include "dot.h"

#include <fmt/format.h>

namespace heed::bench {
namespace {

Case forward_case(const std::string& name, const DotShape& shape) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = shape.text(),
          .dtype = shape.dtype,
          .work = {Work::Unit::kFlops, forward_flops(shape)},
          .prepare = forward(shape)};
}

Case causal_case(const std::string& name, const DotShape& shape) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = shape.text() + " causal",
          .work = {Work::Unit::kFlops, forward_flops(shape, Pairs::kCausal)},
          .prepare = forward(shape, {.mask = causal()})};
}

/// With a tensor of (n, n) for all heads: a mask that lets nine pairs of ten through, or a bias.
Case pairwise_case(const std::string& name, const std::string& what,
                   AttendOptions (*options)(const Tensor&)) {
  const DotShape shape;
  return {.name = name,
          .score = "scaled_dot",
          .shape = shape.text() + " " + what,
          .work = {Work::Unit::kFlops, forward_flops(shape)},
          .prepare = [=] {
            Generator generator(2);
            return forward(shape, options(rand({shape.n, shape.n}, f32, generator)))();
          }};
}

/// All threads against one; there is only one head, so the work must be cut somewhere else.
Case speedup_case(const std::string& name, const DotShape& shape) {
  Case speedup = forward_case(name, shape);
  speedup.against = Against{.name = "one thread", .prepare = forward(shape), .threads = 1};
  return speedup;
}

}  // namespace

void add_forward_cases(Cases& cases) {
  for (const std::int64_t n : {128, 512, 2048}) {
    for (const std::int64_t d : {64, 128}) {
      cases.push_back(
          forward_case(fmt::format("forward_d{}_n{}", d, n), {.batch = n == 128 ? 4 : 1, .n = n, .d = d}));
    }
  }
  for (const std::int64_t d : {32, 40, 80, 96, 256}) {
    cases.push_back(forward_case(fmt::format("forward_d{}_n512", d), {.d = d}));
  }
  for (const std::int64_t n : {512, 2048}) {
    cases.push_back(causal_case(fmt::format("causal_d64_n{}", n), {.n = n}));
  }
  cases.push_back(pairwise_case("boolean_mask_d64_n512", "boolean mask",
                                [](const Tensor& x) -> AttendOptions { return {.mask = mask(x < 0.9)}; }));
  cases.push_back(
      pairwise_case("bias_d64_n512", "bias", [](const Tensor& x) -> AttendOptions { return {.bias = x}; }));
  cases.push_back(forward_case("forward_f64_d64_n512", {.dtype = f64}));
  cases.push_back(forward_case("forward_one_head_n4096", {.heads = 1, .n = 4096}));
  cases.push_back(speedup_case("forward_one_head_n4096_speedup", {.heads = 1, .n = 4096}));
}

}  // namespace heed::bench
