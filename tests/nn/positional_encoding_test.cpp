// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::nn {
namespace {

TEST(SinusoidalEncoding, IsItsFormulaForEveryWidth) {
  for (std::int64_t width : {0, 1, 2, 3, 7, 8, 32, 33}) {
    const Tensor table = sinusoidal_encoding(20, width, f64);
    ASSERT_EQ(table.shape(), (Shape{20, width}));
    for (std::int64_t pos = 0; pos < 20; ++pos) {
      for (std::int64_t column = 0; column < width; ++column) {
        const double exponent = 2.0 * static_cast<double>(column / 2) / static_cast<double>(width);
        const double angle = static_cast<double>(pos) * std::exp(-exponent * std::log(1e4));
        EXPECT_NEAR(table.at({pos, column}), column % 2 == 0 ? std::sin(angle) : std::cos(angle), 1e-13)
            << pos << ", " << column << " of " << width;
      }
    }
  }
}

TEST(SinusoidalEncoding, InF32IsTheF64TableRounded) {
  EXPECT_TRUE(identical(sinusoidal_encoding(3000, 9, f32), sinusoidal_encoding(3000, 9, f64).to(f32)));
}

TEST(SinusoidalEncoding, ADistanceIsARotation) {
  // (sin, cos) of a pair of columns at pos + 5 is a rotation of that at pos, the same for every pos.
  const Tensor table = sinusoidal_encoding(40, 6, f64);
  for (std::int64_t pair = 0; pair < 3; ++pair) {
    const double angle = 5 / std::pow(1e4, 2.0 * static_cast<double>(pair) / 6);
    for (std::int64_t pos = 0; pos < 35; ++pos) {
      const double s = table.at({pos, 2 * pair}), c = table.at({pos, 2 * pair + 1});
      EXPECT_NEAR(table.at({pos + 5, 2 * pair}), s * std::cos(angle) + c * std::sin(angle), 1e-13);
    }
  }
}

TEST(PositionalEncoding, AddsItsTableToEverySequence) {
  PositionalEncoding encoding({.num_hiddens = 7, .max_len = 10});
  EXPECT_EQ(encoding.P().shape(), (Shape{1, 10, 7}));
  EXPECT_TRUE(identical(encoding.P()[0], sinusoidal_encoding(10, 7)));
  const Tensor x = normal({3, 4, 7});
  EXPECT_TRUE(identical(encoding(x), x + encoding.P().slice(1, {.stop = 4})));
  EXPECT_TRUE(identical(encoding(x[1]), encoding(x)[1]));
}

TEST(PositionalEncoding, WorksInTheTypeOfItsInput) {
  PositionalEncoding encoding({.num_hiddens = 5});
  const Tensor y = encoding(zeros({2, 6, 5}, f64));
  EXPECT_TRUE(identical(y[1], sinusoidal_encoding(6, 5, f64)));
  EXPECT_TRUE(identical(encoding.P(f64).slice(1, {.stop = 6}), y.slice(0, {.stop = 1})));
  EXPECT_EQ(encoding(zeros({6, 5})).dtype(), f32);
}

TEST(PositionalEncoding, TakesSequencesUpToMaxLen) {
  PositionalEncoding encoding({.num_hiddens = 2, .max_len = 3});
  EXPECT_EQ(encoding(zeros({1, 3, 2})).shape(), (Shape{1, 3, 2}));
  EXPECT_EQ(encoding(zeros({0, 3, 2})).shape(), (Shape{0, 3, 2}));
  EXPECT_EQ(encoding(zeros({2, 0, 2})).shape(), (Shape{2, 0, 2}));
  EXPECT_THROW(encoding(zeros({1, 4, 2})), Error);
}

TEST(PositionalEncoding, GrowsIfAsked) {
  PositionalEncoding encoding({.num_hiddens = 2, .max_len = 3, .grow = true});
  const Tensor start = encoding(zeros({3, 2}));
  EXPECT_TRUE(identical(encoding(zeros({4, 2})), sinusoidal_encoding(4, 2)));
  EXPECT_EQ(encoding.max_len(), 6);
  EXPECT_TRUE(identical(encoding(zeros({20, 2}, f64)), sinusoidal_encoding(20, 2, f64)));
  EXPECT_EQ(encoding.P().shape(), (Shape{1, 20, 2}));
  EXPECT_TRUE(identical(encoding(zeros({3, 2})), start));
}

TEST(PositionalEncoding, HasNothingToLearnAndLetsGradientsThrough) {
  PositionalEncoding encoding({.num_hiddens = 4});
  EXPECT_TRUE(encoding.parameters().empty());
  const Tensor x = normal({2, 3, 4}).requires_grad_();
  const Tensor grad = normal({2, 3, 4});
  encoding(x).backward(grad);
  EXPECT_TRUE(identical(x.grad(), grad));
}

TEST(LearnedPositionalEncoding, AddsTheRowsOfItsTable) {
  const LearnedPositionalEncoding encoding({.num_hiddens = 3, .max_len = 5});
  const Tensor x = normal({2, 4, 3});
  EXPECT_TRUE(identical(encoding(x).detach(), x + encoding.P.detach().slice(0, {.stop = 4})));
  EXPECT_TRUE(identical(encoding(x[1]), encoding(x)[1]));
  sum(encoding(x)).backward();
  EXPECT_TRUE(identical(encoding.P.grad(), tensor({{2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}})));
}

}  // namespace
}  // namespace heed::nn
