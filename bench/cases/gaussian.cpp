// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Nadaraya-Watson regression of one feature: n points predicted from n others.
#include "cases.h"

#include <heed/heed.h>

#include <fmt/format.h>

namespace heed::bench {
namespace {

Case gaussian_case(std::int64_t n, When when) {
  return {.name = fmt::format("gaussian_n{}", n),
          .score = "gaussian",
          .shape = fmt::format("n{} one feature", n),
          .work = {Work::Unit::kTerms, static_cast<double>(n) * static_cast<double>(n)},
          .prepare = [n]() -> Run {
            const Tensor queries = rand({n, 1}) * 5, keys = rand({n, 1}) * 5, values = normal({n, 1});
            return [=] {
              const NoGrad guard;
              attend(queries, keys, values, {.score = Gaussian{.bandwidth = 0.5}});
            };
          },
          .when = when};
}

}  // namespace

void add_gaussian_cases(Cases& cases) {
  cases.push_back(gaussian_case(8192, When::kQuick));
  cases.push_back(gaussian_case(30000, When::kFull));
}

}  // namespace heed::bench
