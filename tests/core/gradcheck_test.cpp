// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The checker itself: it must see a wrong gradient.
#include "support/gradcheck.h"
#include "autograd/record.h"
#include "support/tensors.h"

namespace heed::test {
namespace {

/// 2x, with a gradient that is off by `error`.
Tensor doubled(const Tensor& x, double error) {
  const Tensor y = no_grad([&] { return x * 2; });
  if (!needs_grad(x)) return y;
  return record("doubled", y, {x}, [error](const Tensor& grad) { return grad * (2 + error); });
}

/// Sums, with a gradient that is wrong in one entry alone.
Tensor wrong_in_one_entry(const Tensor& x) {
  const Tensor y = no_grad([&] { return sum(x); });
  if (!needs_grad(x)) return y;
  return record("wrong_in_one_entry", y, {x}, [shape = x.shape()](const Tensor& grad) {
    const Tensor result = grad.expand(shape).clone();
    result.select(0, 0).fill_(1.001);
    return result;
  });
}

TEST(Gradcheck, PassesARightGradient) {
  const auto f = [](const auto& x) { return doubled(x[0], 0); };
  EXPECT_TRUE(gradients_match(f, {random_normal({4})}));
  EXPECT_TRUE(gradients_match(f, {random_normal({100, 3})}));
}

TEST(Gradcheck, CatchesAWrongGradient) {
  const auto f = [](const auto& x) { return doubled(x[0], 1e-5); };
  EXPECT_FALSE(gradients_match(f, {random_normal({4})}));
  EXPECT_FALSE(gradients_match(f, {random_normal({100, 3})}));
}

TEST(Gradcheck, CatchesOneWrongEntry) {
  const auto f = [](const auto& x) { return wrong_in_one_entry(x[0]); };
  EXPECT_FALSE(gradients_match(f, {random_normal({20})}));
  EXPECT_FALSE(gradients_match(f, {random_normal({2000})}));
}

TEST(Gradcheck, CatchesAMissingGradient) {
  EXPECT_FALSE(gradients_match([](const auto& x) { return x[0].detach() * x[1]; },
                               {random_normal({4}), random_normal({4}, f64, 2)}));
}

TEST(Gradcheck, CatchesANanGradient) {
  EXPECT_FALSE(gradients_match([](const auto& x) { return doubled(x[0], kNan); }, {random_normal({4})}));
}

TEST(Gradcheck, PassesOtherTypesThrough) {
  EXPECT_TRUE(gradients_match([](const auto& x) { return embedding(x[0], x[1]); },
                              {random_normal({4, 2}), tensor({1, 3}, i64)}));
}

}  // namespace
}  // namespace heed::test
