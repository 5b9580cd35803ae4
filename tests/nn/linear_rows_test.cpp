// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Linear layers sum over their inputs in one order, however many rows there are and however the weights lie.
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

struct Sizes {
  std::int64_t in, out;
};

TEST(LinearRows, ARowHasTheSameBitsAloneAndAmongMany) {
  Generator g(51);
  for (const Dtype dtype : {f32, f64}) {
    for (const Sizes s : {Sizes{1, 1}, Sizes{3, 5}, Sizes{16, 16}, Sizes{17, 33}, Sizes{70, 64},
                          Sizes{256, 65}, Sizes{257, 130}, Sizes{600, 20}}) {
      for (const bool bias : {false, true}) {
        SCOPED_TRACE(testing::Message() << s.in << " -> " << s.out << (bias ? " with bias" : ""));
        nn::Linear linear({.in_features = s.in, .out_features = s.out, .bias = bias, .dtype = dtype});
        const Tensor x = normal({1100, s.in}, {}, dtype, g), whole = linear(x).detach();
        const Tensor exact = matmul(x.to(f64), linear.weight.detach().to(f64).transpose(0, 1));
        EXPECT_TRUE(near(whole.to(f64), bias ? exact + linear.bias.detach().to(f64) : exact,
                         dtype == f32 ? 1e-5 : 1e-13));
        for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 18, 30, 100, 600, 1024, 1025}) {
          const Slice part{.start = 1100 - rows};
          EXPECT_TRUE(identical(linear(x.slice(0, part)).detach(), whole.slice(0, part))) << rows;
        }
      }
    }
  }
}

/// Few rows, many outputs and the other way round: threads share out rows, outputs or both.
TEST(LinearRows, AnyThreadCountGivesTheSameBitsAndGradients) {
  Generator g(52);
  for (const std::int64_t rows : {1, 8, 12, 40, 300, 1100}) {
    for (const std::int64_t out : {1, 64, 200, 500}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << out << " outputs");
      nn::Linear linear({.in_features = 300, .out_features = out});
      const Tensor x = normal({rows, 300}, {}, f32, g), seed = normal({rows, out}, {}, f32, g);
      x.requires_grad_();
      const auto results = [&] {
        x.set_grad({});
        linear.zero_grad();
        const Tensor y = linear(x);
        y.backward(seed);
        return std::vector<Tensor>{y.detach(), x.grad(), linear.weight.grad()};
      };
      const std::vector<Tensor> first = with_threads(1, results);
      const Tensor W = linear.weight.detach().to(f64), grad = seed.to(f64);
      EXPECT_TRUE(near(first[1].to(f64), matmul(grad, W), 1e-4));
      EXPECT_TRUE(near(first[2].to(f64), matmul(grad.transpose(0, 1), x.detach().to(f64)), 1e-3));
      for (const int threads : {2, 3, 8, 16}) {
        const std::vector<Tensor> found = with_threads(threads, results);
        for (std::size_t n = 0; n < found.size(); ++n)
          EXPECT_TRUE(identical(found[n], first[n])) << threads << " threads, result " << n;
      }
    }
  }
}

TEST(LinearRows, StridedInputsAndWeightsGiveTheBitsOfContiguousOnes) {
  Generator g(53);
  for (const std::int64_t rows : {1, 6, 20, 1100}) {
    nn::Linear linear({.in_features = 40, .out_features = 50});
    const Tensor x = normal({rows, 40}, {}, f32, g), expected = linear(x).detach();
    const Tensor wide = normal({rows, 80}, {}, f32, g), every_second = wide.slice(1, {.step = 2});
    every_second.copy_(x);
    EXPECT_TRUE(identical(linear(every_second).detach(), expected));
    EXPECT_TRUE(identical(linear(x.transpose(0, 1).contiguous().transpose(0, 1)).detach(), expected));
    // Weights that lie the other way round, and with gaps.
    const Tensor W = linear.weight.detach().clone();
    linear.weight = W.transpose(0, 1).contiguous().transpose(0, 1);
    EXPECT_TRUE(identical(linear(x).detach(), expected));
    linear.weight = normal({50, 80}, {}, f32, g).slice(1, {.step = 2});
    linear.weight.copy_(W);
    EXPECT_TRUE(identical(linear(x).detach(), expected));
  }
}

}  // namespace
}  // namespace heed::test
