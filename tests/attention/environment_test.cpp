// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A call leaves the floating-point environment as it found it, also one that is interrupted.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cfenv>
#include <stdexcept>

namespace heed::test {
namespace {

/// What flushing denormal numbers or another rounding mode would change.
void expect_ordinary_arithmetic() {
  volatile float small = 1e-38F, tenth = 0.1F;
  EXPECT_GT(small * tenth, 0.0F);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Environment, IsAsBeforeAfterAttention) {
  Generator g(71);
  for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{.bandwidth = 0.01})}) {
    for (const std::int64_t Lq : {1, 300}) {
      const Tensor q = normal({Lq, 1}, {}, f32, g).requires_grad_(), k = normal({900, 1}, {}, f32, g),
                   v = normal({900, 1}, {}, f32, g);
      const AttendResult result = attend_with_weights(q, k, v, {.score = score});
      expect_ordinary_arithmetic();
      sum(result.output).backward();
      expect_ordinary_arithmetic();
    }
  }
}

TEST(Environment, IsAsBeforeAfterAnInterrupt) {
  const Tensor q = ones({4000, 8});
  const Interruptible interruptible([] { throw std::runtime_error("enough"); });
  EXPECT_THROW(attend(q, q, q), std::runtime_error);
  expect_ordinary_arithmetic();
}

TEST(Environment, KeepsARoundingModeOfTheCallers) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  const Tensor q = ones({70, 8});
  attend(q, q, q);
  const int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(mode, FE_UPWARD);
}

}  // namespace
}  // namespace heed::test
