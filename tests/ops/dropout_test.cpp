// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/philox.h"
#include "support/tensors.h"

#include <cmath>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

/// u_i is word i%4 of block i/4, as 24 bits.
double uniform_of(std::size_t i, std::uint64_t seed, std::uint64_t first) {
  return static_cast<double>(uniform_f32(philox_stream(seed, first + i / 4)[i % 4]));
}

TEST(Dropout, KeepsWhatItsNumbersSay) {
  for (Dtype dtype : {f32, f64}) {
    for (double p : {0.1, 0.25, 0.5, 0.9}) {
      Generator generator(17);
      generator.advance(5);
      const Tensor x = random_normal({7, 131}, dtype);
      const Doubles values = x.to_vector();
      const Doubles y = dropout(x, p, generator).to_vector();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const bool kept = uniform_of(i, 17, 5) >= p;
        EXPECT_NEAR(y[i], kept ? values[i] / (1 - p) : 0, 1e-6 * std::abs(y[i]));
        EXPECT_EQ(y[i] == 0, !kept);
      }
      EXPECT_EQ(generator.position(), 5U + (7 * 131 + 3) / 4);
    }
  }
}

TEST(Dropout, TheExtremes) {
  const Tensor x = tensor({1, kNan, kInf});
  Generator generator(1);
  EXPECT_TRUE(same_bits(dropout(x, 0, generator), x));
  EXPECT_EQ(dropout(x, 1, generator).to_vector(), (Doubles{0, 0, 0}));
  EXPECT_EQ(dropout(zeros({0, 3}), 0.5, generator).shape(), (Shape{0, 3}));
  const Tensor leaf = ones({3}).requires_grad_();
  sum(dropout(leaf, 1, generator)).backward();
  EXPECT_EQ(leaf.grad().to_vector(), (Doubles{0, 0, 0}));
}

TEST(Dropout, KeepsTheMeanAndTheRate) {
  Generator generator(2);
  const Tensor y = dropout(ones({100'000}), 0.3, generator);
  EXPECT_NEAR(mean((y == 0).to(f32)).item(), 0.3, 0.005);
  EXPECT_NEAR(mean(y).item(), 1, 0.01);
}

TEST(Dropout, TheGradientSeesTheSameMask) {
  Generator generator(3);
  const Tensor x = ones({10'001}).requires_grad_();
  const Tensor y = dropout(x, 0.5, generator);
  dropout(x, 0.5, generator);  // drawing on does not matter
  sum(y).backward();
  EXPECT_TRUE(same_bits(x.grad(), y.detach()));
}

TEST(Dropout, KeepsNoMask) {
  Generator generator(3);
  const Tensor x = ones({1000}).requires_grad_();
  const std::size_t before = memory_use().current;
  const Tensor y = dropout(x, 0.5, generator);
  EXPECT_EQ(memory_use().current, before + 4000);
}

TEST(Dropout, AnyThreadsGiveTheSameBits) {
  const Tensor x = random_normal({100'003}, f32);
  const auto run = [&] {
    Generator generator(4);
    return dropout(x, 0.4, generator);
  };
  const Tensor one = with_threads(1, run);
  for (int threads : {2, 3, 8}) EXPECT_TRUE(same_bits(with_threads(threads, run), one)) << threads;
}

}  // namespace
}  // namespace heed::test
