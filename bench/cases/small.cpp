// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Work so small that the calls themselves are what is measured.
#include "cases.h"

#include <heed/heed.h>

#include <memory>

namespace heed::bench {
namespace {

/// An epoch of the notes' regression: 50 points, each predicted from the 49 others; forward, backward, step.
struct Regression {
  Tensor x = rand({50}) * 5;
  Tensor y = 2 * sin(x) + normal({50}, {.stddev = 0.5});
  Tensor keys = nn::leave_one_out(x), values = nn::leave_one_out(y);
  nn::NWKernelRegression net;
  // Small, so that thousands of epochs leave the numbers where they are.
  optim::SGD sgd{net.parameters(), {.lr = 1e-6}};

  void epoch() {
    sgd.zero_grad();
    sum(l2_loss(net(x, keys, values), y)).backward();
    sgd.step();
  }
};

Case call_case(const std::string& name, const Shape& sizes, When when) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = to_string(sizes),
          .prepare = [sizes]() -> Run {
            const Tensor x = normal(sizes);
            return [x] {
              const NoGrad guard;
              attend(x, x, x);
            };
          },
          .when = when};
}

}  // namespace

void add_small_cases(Cases& cases) {
  cases.push_back(
      {.name = "regression_epoch", .score = "gaussian", .shape = "50 x 49 pairs", .prepare = []() -> Run {
         return [data = std::make_shared<Regression>()] { data->epoch(); };
       }});
  cases.push_back(call_case("small_call", {1, 4, 8}, When::kAlways));
  cases.push_back(call_case("tiny", {1, 2}, When::kOnlyNamed));
}

}  // namespace heed::bench
