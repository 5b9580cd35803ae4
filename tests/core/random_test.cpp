// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/philox.h"
#include "support/tensors.h"

#include <cmath>
#include <thread>

namespace heed::test {
namespace {

// The known answers published with Random123, file kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, StreamsUseAll64BitsOfSeedAndPosition) {
  EXPECT_NE(philox_stream(1, 0), philox_stream(1ULL << 32 | 1, 0));
  EXPECT_NE(philox_stream(1, 7), philox_stream(1, 1ULL << 32 | 7));
}

TEST(Generator, EqualSeedsGiveEqualStreams) {
  Generator a(7);
  Generator b(7);
  Generator c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
  const Tensor x = rand({5}, f32, a);
  b.next();
  EXPECT_TRUE(same_bits(x, rand({5}, f32, b)));
  EXPECT_FALSE(same_bits(x, rand({5}, f32, b)));  // the stream has moved on
}

TEST(Generator, TheDefaultOneBelongsToTheThread) {
  seed(42);
  const Tensor here = rand({4});
  Tensor there;
  std::thread([&] {
    seed(42);
    there = rand({4});
  }).join();
  EXPECT_TRUE(same_bits(here, there));
  seed(42);
  EXPECT_TRUE(same_bits(here, rand({4})));
}

TEST(Generator, AdvancesByWhatWasDrawn) {
  Generator g(1);
  rand({9}, f32, g);
  EXPECT_EQ(g.position(), 3U);
  rand({9}, f64, g);
  EXPECT_EQ(g.position(), 8U);
}

struct Moments {
  double mean = 0, variance = 0, skew = 0, kurtosis = 0;
};

Moments moments(const Tensor& x) {
  const std::vector<double> values = x.to_vector();
  const double n = static_cast<double>(values.size());
  Moments m;
  for (double v : values) m.mean += v / n;
  for (double v : values) m.variance += (v - m.mean) * (v - m.mean) / n;
  for (double v : values) {
    const double z = (v - m.mean) / std::sqrt(m.variance);
    m.skew += z * z * z / n;
    m.kurtosis += z * z * z * z / n;
  }
  return m;
}

TEST(Rand, IsUniform) {
  for (Dtype dtype : {f32, f64}) {
    Generator g(3);
    const Tensor x = rand({200'000}, dtype, g);
    EXPECT_GE(min(x).item(), 0);
    EXPECT_LT(max(x).item(), 1);
    const Moments m = moments(x);
    EXPECT_NEAR(m.mean, 0.5, 0.003);
    EXPECT_NEAR(m.variance, 1.0 / 12, 0.001);
    EXPECT_NEAR(m.skew, 0, 0.02);
    EXPECT_NEAR(m.kurtosis, 1.8, 0.02);
  }
}

TEST(NormalNumbers, AreNormal) {
  for (Dtype dtype : {f32, f64}) {
    Generator g(4);
    const Tensor x = normal({200'000}, {.mean = 2, .stddev = 3}, dtype, g);
    const Moments m = moments(x);
    EXPECT_NEAR(m.mean, 2, 0.03);
    EXPECT_NEAR(std::sqrt(m.variance), 3, 0.02);
    EXPECT_NEAR(m.skew, 0, 0.03);
    EXPECT_NEAR(m.kurtosis, 3, 0.06);
    EXPECT_TRUE(std::isfinite(max(abs(x)).item()));
  }
}

TEST(RandomTensors, DependOnPositionAndNotOnThreads) {
  const auto draw = [](int threads, Dtype dtype) {
    return with_threads(threads, [&] {
      Generator g(5);
      return cat({rand({100'003}, dtype, g), normal({100'003}, {}, dtype, g)});
    });
  };
  for (Dtype dtype : {f32, f64}) {
    const Tensor one = draw(1, dtype);
    for (int threads : {2, 3, 8}) EXPECT_TRUE(same_bits(draw(threads, dtype), one)) << threads;
  }
  Generator longer(6);
  Generator shorter(6);
  EXPECT_TRUE(same_bits(rand({1000}, f32, longer).slice(0, {.stop = 10}), rand({10}, f32, shorter)));
}

}  // namespace
}  // namespace heed::test
