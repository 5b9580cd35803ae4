// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <cmath>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

TEST(L2Loss, IsOnePerSample) {
  const Tensor prediction = tensor({{1, 2}, {3, 5}}, f64);
  const Tensor target = tensor({{0, 4}, {3, 1}}, f64);
  EXPECT_TRUE(near(l2_loss(prediction, target), {(0.5 + 2) / 2, (0.0 + 8) / 2}));
  EXPECT_TRUE(near(l2_loss(prediction[0], target[0]), {0.5, 2}));
  EXPECT_EQ(l2_loss(zeros({3, 2, 2}), ones({3, 2, 2})).to_vector(), (Doubles{0.5, 0.5, 0.5}));
  EXPECT_EQ(l2_loss(zeros({0, 2}), zeros({0, 2})).shape(), (Shape{0}));
}

TEST(MseLoss, IsTheMeanSquare) {
  EXPECT_EQ(mse_loss(tensor({{1, 2}, {3, 5}}), tensor({{0, 4}, {3, 1}})).item(), (1.0 + 4 + 0 + 16) / 4);
  EXPECT_EQ(mse_loss(tensor(3), tensor(1)).item(), 4);
  EXPECT_TRUE(std::isnan(mse_loss(zeros({0}), zeros({0})).item()));
}

TEST(CrossEntropy, IsTheMeanOfMinusLog) {
  const Tensor logits = random_normal({5, 7}) * 2;
  const Tensor target = random_indices(7, {5});
  double expected = 0;
  for (std::int64_t i = 0; i < 5; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < 7; ++j) sum += std::exp(logits.at({i, j}));
    expected += std::log(sum) - logits.at({i, target.at<std::int64_t>({i})});
  }
  EXPECT_NEAR(cross_entropy(logits, target).item(), expected / 5, 1e-14);
  EXPECT_NEAR(cross_entropy(tensor({{1000, 0}}), tensor({1}, i64)).item(), 1000, 1e-3);
}

}  // namespace
}  // namespace heed::test
