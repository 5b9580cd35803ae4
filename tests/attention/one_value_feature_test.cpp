// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One value feature, as in regression: Gaussian scores weigh and pool a block of keys in one go where they can.
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace heed::test {
namespace {

const Score kGaussian = Gaussian{.bandwidth = 1.5};

Tensor by_definition(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Tensor difference = (q.to(f64).unsqueeze(1) - k.to(f64).unsqueeze(0)) / 1.5;
  return matmul(softmax(sum(difference * difference, -1) * -0.5, -1), v.to(f64));
}

TEST(OneValueFeature, ARowDoesNotDependOnHowManyKeysItsNeighboursHave) {
  Generator g(91);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t D : {1, 3}) {
      for (const std::int64_t Lk : {384, 1000, 5000}) {
        const Tensor q = normal({70, D}, {}, dtype, g), k = normal({Lk, D}, {}, dtype, g),
                     v = normal({Lk, 1}, {}, dtype, g);
        const Tensor all = attend(q, k, v, {.score = kGaussian});
        EXPECT_TRUE(near(all.to(f64), by_definition(q, k, v), dtype == f32 ? 2e-6 : 1e-13));
        std::vector<std::int64_t> lengths(70, Lk);
        for (std::size_t i = 1; i < 70; i += 2) lengths[i] = 7;
        const Tensor some =
            attend(q, k, v, {.score = kGaussian, .mask = valid_lens(from_vector(lengths, {1, 70}))});
        for (std::int64_t i = 0; i < 70; i += 2) EXPECT_TRUE(same_bits(some.select(0, i), all.select(0, i)));
      }
    }
  }
}

TEST(OneValueFeature, ARowDoesNotDependOnWhereItsNeighboursKeysEnd) {
  Generator g(94);
  for (const Score& score : {kGaussian, Score(ScaledDot{})}) {
    for (const std::int64_t Dv : {1, 2}) {
      for (std::int64_t length = 90; length <= 101; ++length) {
        const Tensor q = normal({70, 4}, {}, f32, g), k = normal({101, 4}, {}, f32, g),
                     v = normal({101, Dv}, {}, f32, g);
        std::vector<std::int64_t> lengths(70, length);
        const auto run = [&] {
          return attend(q, k, v, {.score = score, .mask = valid_lens(from_vector(lengths, {1, 70}))});
        };
        const Tensor alike = run();
        lengths[69] = lengths[3] = 101;
        const Tensor some_longer = run();
        for (const std::int64_t i : {0, 1, 30, 68}) {
          EXPECT_TRUE(same_bits(some_longer.select(0, i), alike.select(0, i))) << "length " << length;
        }
      }
    }
  }
}

TEST(OneValueFeature, ARowDoesNotDependOnWhatItsNeighboursMask) {
  Generator g(95);
  // Far from all keys, so that references are not 0.
  const Tensor q = normal({70, 2}, {.mean = 14}, f32, g), k = normal({500, 2}, {.stddev = 0.2}, f32, g);
  for (const std::int64_t Dv : {1, 5}) {
    const Tensor v = normal({500, Dv}, {}, f32, g);
    Tensor allowed = ones({70, 500}, boolean);
    const Tensor all = attend(q, k, v, {.score = kGaussian, .mask = mask(allowed)});
    allowed.mutable_data<bool>()[5 * 500 + 250] = false;
    const Tensor some = attend(q, k, v, {.score = kGaussian, .mask = mask(allowed)});
    for (const std::int64_t i : {0, 4, 6, 69}) EXPECT_TRUE(same_bits(some.select(0, i), all.select(0, i)));
  }
}

TEST(OneValueFeature, TinyValuesInMaskedSlotsChangeNoBit) {
  // Sums of the row that counts are denormal in the second block of keys.
  std::vector<float> keys(600, 0.0F), values(600, 0.0F);
  for (std::size_t j = 200; j < 600; ++j) {
    keys[j] = 19.7F;
    values[j] = 0.3F;
  }
  const Tensor q = zeros({70, 1}), k = from_vector(keys, {600, 1});
  const Tensor lengths = cat({full({69}, 599, i64), full({1}, 600, i64)}).unsqueeze(0);
  const auto run = [&](float last) {
    values.back() = last;
    return attend(q, k, from_vector(values, {600, 1}), {.score = kGaussian, .mask = valid_lens(lengths)});
  };
  const Tensor ordinary = run(0.3F);
  for (const float garbage : {1e-30F, 0.0F, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_TRUE(same_bits(run(garbage).slice(0, {0, 69}), ordinary.slice(0, {0, 69})));
  }
}

TEST(OneValueFeature, KeysMayComeNearerAndNearer) {
  // Weights relative to the first keys would overflow.
  for (const Dtype dtype : {f32, f64}) {
    const Tensor q = linspace(-2, 2, 100, dtype).unsqueeze(1);
    const Tensor k = linspace(60, -60, 3000, dtype).unsqueeze(1);
    const Tensor v = sin(k);
    EXPECT_TRUE(near(attend(q, k, v, {.score = kGaussian}).to(f64), by_definition(q, k, v),
                     dtype == f32 ? 2e-5 : 1e-12));
  }
}

TEST(OneValueFeature, DenormalAndTinyValuesCount) {
  Generator g(92);
  for (const double scale : {1e-15, 1e-28, 1e-33}) {
    const Tensor q = normal({70, 1}, {}, f32, g), k = normal({1000, 1}, {.mean = 5}, f32, g);
    const Tensor v = rand({1000, 1}, f32, g) * scale, expected = by_definition(q, k, v);
    EXPECT_TRUE(near(attend(q, k, v, {.score = kGaussian}).to(f64) / expected, ones_like(expected), 1e-5));
  }
  const Tensor q = normal({70, 1}, {}, f32, g), k = normal({1000, 1}, {}, f32, g);
  const Tensor v = normal({1000, 1}, {}, f32, g) * 1e-20 * 1e-20;
  EXPECT_TRUE(
      near(attend(q, k, v, {.score = kGaussian}).to(f64) * 1e40, by_definition(q, k, v) * 1e40, 2e-4));
  // Beside ordinary ones in other blocks of keys.
  const Tensor mixed = cat({v.slice(0, {0, 500}), zeros({500, 1})}, 0);
  EXPECT_TRUE(near(attend(q, k, mixed, {.score = kGaussian}).to(f64) * 1e40,
                   by_definition(q, k, mixed) * 1e40, 2e-4));
}

TEST(OneValueFeature, AValueThatIsNotFiniteReachesTheRowsThatAttendToIt) {
  Generator g(93);
  const Tensor q = normal({70, 1}, {}, f32, g), k = normal({1000, 1}, {}, f32, g);
  Tensor v = normal({1000, 1}, {}, f32, g);
  v.mutable_data<float>()[700] = std::numeric_limits<float>::infinity();
  const Tensor lengths = where(arange(70, i64) < 35, full({}, 700, i64), full({}, 701, i64));
  const Tensor y = attend(q, k, v, {.score = kGaussian, .mask = valid_lens(lengths.unsqueeze(0))});
  for (std::int64_t i = 0; i < 70; ++i) EXPECT_EQ(std::isfinite(y.data<float>()[i]), i < 35) << i;
  for (const float x : attend(q, k, v, {.score = kGaussian}).to_vector<float>())
    EXPECT_FALSE(std::isfinite(x));
}

}  // namespace
}  // namespace heed::test
