// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What dropout, masks and a softcap cost: the time with them over the time without.
#include "cases.h"
#include "dot.h"

namespace heed::bench {
namespace {

constexpr DotShape kShape{.batch = 4, .heads = 8, .n = 512, .d = 64};

Case option_case(const std::string& name, const std::string& what, Prepare with, Prepare without) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = kShape.text() + " " + what,
          .prepare = std::move(with),
          .against = Against{.name = "without", .prepare = std::move(without)}};
}

/// Tensors of the options are made with the operands, not with the table of cases.
Prepare forward_with(AttendOptions (*options)()) {
  return [options] { return forward(kShape, options())(); };
}

}  // namespace

void add_option_cases(Cases& cases) {
  cases.push_back(option_case("dropout", "dropout 0.1", forward(kShape, {.dropout = 0.1}), forward(kShape)));
  cases.push_back(option_case("dropout_with_backward", "dropout 0.1",
                              forward_and_backward(kShape, {.dropout = 0.1}), forward_and_backward(kShape)));
  cases.push_back(option_case("all_true_mask", "boolean mask, all true", forward_with([]() -> AttendOptions {
                                return {.mask = mask(ones({kShape.n, kShape.n}, boolean))};
                              }),
                              forward(kShape)));
  cases.push_back(option_case("softcap", "softcap 30", forward(kShape, {.softcap = 30}), forward(kShape)));
  cases.push_back(option_case("half_length", "valid_lens n/2", forward_with([]() -> AttendOptions {
                                return {.mask = valid_lens(full({kShape.batch}, kShape.n / 2, i64))};
                              }),
                              forward(kShape)));
}

}  // namespace heed::bench
