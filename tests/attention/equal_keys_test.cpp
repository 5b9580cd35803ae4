// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Equal keys get equal weights, to the bit, however large the scores and wherever the keys lie.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::test {
namespace {

TEST(EqualKeys, GetEqualWeights) {
  Generator g(61);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t Lq : {5, 20}) {  // few rows and tiles
      for (const std::int64_t Lk : {2, 3, 8, 9, 37, 130, 300}) {
        const Tensor q = normal({Lq, 8}, {.stddev = 30}, dtype, g);
        const Tensor k = normal({1, 8}, {.stddev = 30}, dtype, g).expand({Lk, 8});
        for (const Score& score : {Score(Dot{}), Score(ScaledDot{}), Score(Gaussian{.bandwidth = 30.0})}) {
          const Tensor weights = attend(q, k, eye(Lk, dtype), {.score = score});
          EXPECT_TRUE(identical(weights, weights.select(1, 0).unsqueeze(1).expand({Lq, Lk}).clone()))
              << "Lq " << Lq << " Lk " << Lk << "\n"
              << weights;
        }
      }
    }
  }
}

TEST(EqualKeys, OfAnyNumberLoseAHundredRoundingsAtMost) {
  // Equal terms are rounded the same way each time, the worst that can happen to a sum.
  Generator g(62);
  const Tensor q = normal({600, 1}, {.stddev = 2}, f32, g);
  for (const std::int64_t Lk : {192, 500, 2304, 20000}) {
    const Tensor out =
        attend(q, ones({1, 1}).expand({Lk, 1}), full({1, 8}, 1.1).expand({Lk, 8}), {.score = Dot{}});
    const double most = max(abs(out.to(f64) / static_cast<double>(1.1F) - 1.0)).item();
    EXPECT_LE(most, std::ldexp(100, -24)) << Lk;
  }
}

TEST(EqualKeys, OfALongRowHaveWeightsThatSumToOne) {
  constexpr std::int64_t kKeys = 300'000;
  const Tensor q = full({1, 1}, 0.63), k = ones({1, 1}).expand({kKeys, 1});
  const Tensor weights = attend_with_weights(q, k, k, {.score = Dot{}}).weights();
  EXPECT_NEAR(sum(weights.to(f64)).item(), 1, 1e-6);
}

}  // namespace
}  // namespace heed::test
