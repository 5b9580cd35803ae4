// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

namespace heed::test {
namespace {

using Flags = std::vector<bool>;

Flags flags(const Tensor& x) {
  EXPECT_EQ(x.dtype(), boolean);
  EXPECT_FALSE(x.requires_grad());
  return x.to_vector<bool>();
}

TEST(Comparison, AllOperators) {
  const Tensor a = tensor({1, 2, 3, kNan}).requires_grad_();
  const Tensor b = tensor({2, 2, 2, 2});
  EXPECT_EQ(flags(a == b), (Flags{false, true, false, false}));
  EXPECT_EQ(flags(a != b), (Flags{true, false, true, true}));
  EXPECT_EQ(flags(a < b), (Flags{true, false, false, false}));
  EXPECT_EQ(flags(a <= b), (Flags{true, true, false, false}));
  EXPECT_EQ(flags(a > b), (Flags{false, false, true, false}));
  EXPECT_EQ(flags(a >= b), (Flags{false, true, true, false}));
  EXPECT_EQ(flags(a == 2), flags(a == b));
  EXPECT_EQ(flags(a != 2), flags(a != b));
  EXPECT_EQ(flags(a < 2), flags(a < b));
  EXPECT_EQ(flags(a <= 2), flags(a <= b));
  EXPECT_EQ(flags(a > 2), flags(a > b));
  EXPECT_EQ(flags(a >= 2), flags(a >= b));
}

TEST(Comparison, BroadcastsAndMixesTypes) {
  EXPECT_EQ(flags(arange(3, i64) < tensor({{1}, {2}}, i64)), (Flags{true, false, false, true, true, false}));
  EXPECT_EQ(flags(tensor({1, 2}, i64) < tensor({1.5, 1.5}, f64)), (Flags{true, false}));
  EXPECT_EQ(flags(tensor({1, 2}, i64) < 1.5), (Flags{true, false}));
  EXPECT_EQ(flags(tensor({true, false}) < tensor({true, true})), (Flags{false, true}));
  EXPECT_EQ(flags(tensor({true, false}) == tensor({1, 1})), (Flags{true, false}));
  EXPECT_EQ((zeros({0, 3}) == zeros({3})).shape(), (Shape{0, 3}));
}

TEST(Logic, OfMasks) {
  const Tensor a = tensor({true, true, false, false});
  const Tensor b = tensor({true, false, true, false});
  EXPECT_EQ(flags(logical_and(a, b)), (Flags{true, false, false, false}));
  EXPECT_EQ(flags(logical_or(a, b)), (Flags{true, true, true, false}));
  EXPECT_EQ(flags(logical_not(a)), (Flags{false, false, true, true}));
  EXPECT_EQ(flags(logical_and(a.reshape({2, 2}), tensor({true, false}))), (Flags{true, false, false, false}));
}

TEST(Identical, LooksAtShapeTypeAndElements) {
  const Tensor x = tensor({{1, kNan}, {kInf, -0.0}});
  EXPECT_TRUE(identical(x, x.clone()));
  EXPECT_TRUE(identical(x.transpose(0, 1), x.transpose(0, 1).clone()));
  EXPECT_FALSE(identical(x, x.reshape({4})));
  EXPECT_FALSE(identical(x, x.to(f64)));
  EXPECT_FALSE(identical(x, x.transpose(0, 1)));
  EXPECT_TRUE(identical(zeros({0, 2}), zeros({0, 2})));
  EXPECT_TRUE(identical(tensor({true}), tensor({true})));
}

TEST(AllClose, MeasuresAgainstTheSecond) {
  const Tensor x = tensor({1, 100, kNan, kInf}, f64);
  EXPECT_TRUE(all_close(x, x));
  EXPECT_TRUE(all_close(tensor({100.0009}, f64), tensor({100}, f64)));
  EXPECT_FALSE(all_close(tensor({100.0011}, f64), tensor({100}, f64)));
  EXPECT_TRUE(all_close(tensor({1.5}), tensor({1}), {.relative = 0.5, .absolute = 0}));
  EXPECT_FALSE(all_close(tensor({1.6}), tensor({1}), {.relative = 0.5, .absolute = 0}));
  EXPECT_FALSE(all_close(tensor({kInf}), tensor({-kInf})));
  EXPECT_FALSE(all_close(tensor({1}), tensor({kInf})));
  EXPECT_FALSE(all_close(tensor({kNan}), tensor({1})));
  EXPECT_TRUE(all_close(ones({2, 3}), ones({3}, f64)));
  EXPECT_TRUE(all_close(zeros({0}), zeros({0})));
}

}  // namespace
}  // namespace heed::test
