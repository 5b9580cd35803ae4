// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Optimisers against the trajectories PyTorch computed on the same problem, and clip_grad_norm against its numbers.
#include "support/golden.h"
#include "support/errors.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::optim {
namespace {

using test::GoldenCase;
using test::near;

double option(const GoldenCase& c, const char* key, double otherwise) {
  return c.has(key) ? c.scalar(key) : otherwise;
}

template <class Options>
Options adam_options(const GoldenCase& c) {
  Options options{.lr = c.scalar("lr"), .epsilon = c.scalar("eps")};
  options.beta1 = option(c, "beta1", options.beta1);
  options.beta2 = option(c, "beta2", options.beta2);
  options.weight_decay = option(c, "weight_decay", options.weight_decay);
  options.amsgrad = option(c, "amsgrad", 0) != 0;
  return options;
}

std::unique_ptr<Optimizer> make(const std::string& name, const GoldenCase& c, const Tensor& p) {
  if (name.starts_with("optim_sgd")) {
    return std::make_unique<SGD>(std::vector{p}, SGDOptions{.lr = c.scalar("lr"),
                                                            .momentum = option(c, "momentum", 0),
                                                            .dampening = option(c, "dampening", 0),
                                                            .weight_decay = option(c, "weight_decay", 0),
                                                            .nesterov = option(c, "nesterov", 0) != 0});
  }
  if (name == "optim_adamw") return std::make_unique<AdamW>(std::vector{p}, adam_options<AdamWOptions>(c));
  return std::make_unique<Adam>(std::vector{p}, adam_options<AdamOptions>(c));
}

class GoldenTrajectory : public testing::TestWithParam<const char*> {
 protected:
  /// p after each step, and the loss before each and at the end.
  void follow(Dtype dtype, double tolerance) {
    const GoldenCase& c = test::golden(GetParam());
    const Tensor A = c.tensor("A").to(dtype), b = c.tensor("b").to(dtype);
    const Tensor p = c.tensor("p0").to(dtype).clone().requires_grad_();
    const auto loss = [&] {
      const Tensor residual = matmul(A, p) - b;
      return sum(residual * residual) + sum(sin(p));
    };
    const auto optimizer = make(GetParam(), c, p);
    for (std::int64_t step = 0; step < 10; ++step) {
      optimizer->zero_grad();
      const Tensor value = loss();
      EXPECT_NEAR(value.item(), c.tensor("losses").at({step}), 20 * tolerance) << "step " << step;
      value.backward();
      optimizer->step();
      EXPECT_TRUE(near(p, c.tensor("p")[step], tolerance)) << "step " << step;
    }
    EXPECT_NEAR(loss().item(), c.scalar("final_loss"), 20 * tolerance);
  }
};

TEST_P(GoldenTrajectory, InF64) { follow(f64, 1e-12); }
TEST_P(GoldenTrajectory, InF32) { follow(f32, 1e-5); }

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTrajectory,
                         testing::Values("optim_sgd", "optim_sgd_momentum", "optim_sgd_momentum_weight_decay",
                                         "optim_sgd_nesterov", "optim_sgd_dampening", "optim_adam",
                                         "optim_adam_weight_decay", "optim_adam_betas", "optim_adam_amsgrad",
                                         "optim_adamw"),
                         [](const auto& name) { return std::string(name.param).substr(6); });

TEST(ClipGradNorm, IsThatOfPyTorch) {
  for (const char* name : {"clip_grad_norm", "clip_grad_norm_not_needed"}) {
    SCOPED_TRACE(name);
    const GoldenCase& c = test::golden(name);
    const Tensor a = zeros({3, 5}, f64), b = zeros({7}, f64), without = zeros({2}, f64);
    a.set_grad(c.tensor("grad_a_before"));
    b.set_grad(c.tensor("grad_b_before"));
    const double norm = clip_grad_norm(std::vector{a, without, b}, c.scalar("max_norm"));
    EXPECT_NEAR(norm, c.scalar("total_norm"), 1e-12);
    EXPECT_TRUE(near(a.grad(), c.tensor("grad_a_after")));
    EXPECT_TRUE(near(b.grad(), c.tensor("grad_b_after")));
    EXPECT_FALSE(without.grad().defined());
  }
}

TEST(ClipGradNorm, TakesAnyLayoutTypeAndNumberOfElements) {
  for (std::int64_t n = 0; n < 20; ++n) {
    const Tensor p = zeros({n, 2}), q = zeros({1}, f64);
    p.set_grad(ones({2, n}).transpose(0, 1) * 3);
    q.set_grad(full({1}, 4, f64));
    const double expected = std::sqrt(18.0 * static_cast<double>(n) + 16);
    EXPECT_NEAR(clip_grad_norm(std::vector{p, q}, 1), expected, 1e-12);
    EXPECT_NEAR(clip_grad_norm(std::vector{p, q}, 1), expected / (expected + 1e-6), 1e-6);
  }
}

TEST(ClipGradNorm, LeavesAGradientThatWasSharedByHandWithItsOwner) {
  const Tensor shared = full({4}, 10);
  const Tensor a = zeros({4}), b = zeros({4});
  a.set_grad(shared);
  b.set_grad(shared);
  clip_grad_norm(std::vector{a, b}, 1);
  EXPECT_TRUE(test::same_bits(shared, full({4}, 10)));
  EXPECT_TRUE(near(a.grad(), full({4}, 1 / std::sqrt(8.0)), 1e-6));
  EXPECT_TRUE(test::same_bits(a.grad(), b.grad()));
}

TEST(ClipGradNorm, WrongArgumentsAreErrors) {
  test::expect_error([] { clip_grad_norm(std::vector{zeros({1})}, -1); },
                     "clip_grad_norm: max_norm must be at least 0, found -1");
  test::expect_error([] { clip_grad_norm(std::vector{zeros({1})}, test::kNan); },
                     "clip_grad_norm: max_norm must be at least 0, found nan");
  test::expect_error([] { clip_grad_norm(std::vector{Tensor()}, 1); },
                     "clip_grad_norm: a parameter is undefined");
  EXPECT_EQ(clip_grad_norm({}, 1), 0);
}

}  // namespace
}  // namespace heed::optim
