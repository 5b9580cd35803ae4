// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <omp.h>

#include <thread>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

/// Plain loops over (..., m, k) x (..., k, n), batches broadcast.
Doubles product(const Tensor& a, const Tensor& b) {
  const std::int64_t m = a.size(-2);
  const std::int64_t k = a.size(-1);
  const std::int64_t n = b.size(-1);
  const auto batch_of = [](const Tensor& x) {
    return Shape(std::span(x.shape().begin(), static_cast<std::size_t>(x.rank() - 2)));
  };
  const Shape batch = broadcast_shapes(batch_of(a), batch_of(b));
  const auto with_batch = [&](std::int64_t rows, std::int64_t columns) {
    Shape shape = batch;
    shape.push_back(rows);
    shape.push_back(columns);
    return shape;
  };
  const Doubles left = a.expand(with_batch(m, k)).to_vector();
  const Doubles right = b.expand(with_batch(k, n)).to_vector();
  Doubles out;
  for (std::int64_t p = 0; p < batch.numel(); ++p) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        long double sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum += static_cast<long double>(left[static_cast<std::size_t>((p * m + i) * k + l)]) *
                 right[static_cast<std::size_t>((p * k + l) * n + j)];
        }
        out.push_back(static_cast<double>(sum));
      }
    }
  }
  return out;
}

struct Case {
  Shape a, b, out;
};

TEST(Matmul, FollowsTheDefinition) {
  const Case cases[] = {
      {{1, 1}, {1, 1}, {1, 1}},
      {{2, 3}, {3, 5}, {2, 5}},
      {{1, 7}, {7, 1}, {1, 1}},
      {{7, 1}, {1, 7}, {7, 7}},
      {{13, 17}, {17, 11}, {13, 11}},
      {{65, 3}, {3, 129}, {65, 129}},
      {{300, 40}, {40, 530}, {300, 530}},
      {{70, 700}, {700, 130}, {70, 130}},
      {{2, 3, 4}, {4, 5}, {2, 3, 5}},
      {{2, 3, 4, 5}, {5, 2}, {2, 3, 4, 2}},
      {{4, 5}, {3, 5, 2}, {3, 4, 2}},
      {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}},
      {{2, 1, 3, 4}, {5, 4, 2}, {2, 5, 3, 2}},
      {{1, 3, 4}, {7, 4, 2}, {7, 3, 2}},
      {{0, 3}, {3, 2}, {0, 2}},
      {{2, 3}, {3, 0}, {2, 0}},
      {{2, 0}, {0, 3}, {2, 3}},
      {{0, 2, 3}, {3, 4}, {0, 2, 4}},
      {{3, 2, 0}, {0, 4}, {3, 2, 4}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(to_string(c.a) + " x " + to_string(c.b));
    const Tensor a = random_normal(c.a, f64, 1);
    const Tensor b = random_normal(c.b, f64, 2);
    EXPECT_EQ(matmul(a, b).shape(), c.out);
    EXPECT_TRUE(near(matmul(a, b), product(a, b), 1e-13));
    EXPECT_TRUE(
        near(matmul(a.to(f32), b.to(f32)), product(a, b), 1e-7 * static_cast<double>(a.size(-1) + 10)));
  }
}

TEST(Matmul, OneDimensionalOperandsAreRowsAndColumns) {
  const Tensor v = tensor({1, 2});
  const Tensor m = tensor({{1, 2}, {3, 4}});
  EXPECT_EQ(matmul(v, v).shape(), Shape{});
  EXPECT_EQ(matmul(v, v).item(), 5);
  EXPECT_EQ(matmul(v, m).to_vector(), (Doubles{7, 10}));
  EXPECT_EQ(matmul(m, v).to_vector(), (Doubles{5, 11}));
  EXPECT_EQ(matmul(ones({3, 4, 2}), v).shape(), (Shape{3, 4}));
  EXPECT_EQ(matmul(v, ones({3, 2, 4})).shape(), (Shape{3, 4}));
}

TEST(Matmul, AnEmptySumIsZero) {
  EXPECT_EQ(matmul(zeros({2, 0}), zeros({0, 3})).to_vector(), Doubles(6, 0.0));
  EXPECT_EQ(matmul(zeros({0}), zeros({0})).item(), 0);
  const Tensor a = zeros({2, 0}).requires_grad_();
  const Tensor b = zeros({0, 3}).requires_grad_();
  sum(matmul(a, b)).backward();
  EXPECT_EQ(a.grad().shape(), (Shape{2, 0}));
  const Tensor batch = zeros({0, 2, 3}).requires_grad_();
  const Tensor weight = ones({3, 4}).requires_grad_();
  sum(matmul(batch, weight)).backward();
  EXPECT_EQ(weight.grad().to_vector(), Doubles(12, 0.0));
}

TEST(Matmul, TypesMeetInTheLarger) {
  EXPECT_EQ(matmul(ones({2, 2}), ones({2, 2}, f64)).dtype(), f64);
  EXPECT_EQ(matmul(ones({2, 2}, i64), ones({2, 2})).dtype(), f32);
}

TEST(Matmul, NanGoesWhereItIsUsed) {
  const Tensor a = ones({3, 4}, f64);
  a[1].fill_(kNan);
  EXPECT_TRUE(near(matmul(a, ones({4, 2}, f64)), {4, 4, kNan, kNan, 4, 4}));
}

TEST(Matmul, AnyStridesAreReadAsTheyLie) {
  const Tensor a = random_normal({2, 70, 33}, f32, 1);
  const Tensor b = random_normal({2, 33, 65}, f32, 2);
  const Tensor expected = matmul(a, b);
  for (const Layout& left : layouts(a)) {
    for (const Layout& right : layouts(b)) {
      SCOPED_TRACE(left.name + " x " + right.name);
      EXPECT_TRUE(near(matmul(left.tensor, right.tensor), expected, 1e-5));
    }
  }
  const Tensor by_columns = a.transpose(1, 2).contiguous().transpose(1, 2);
  const std::uint64_t before = memory_use().allocations;
  matmul(by_columns, b);
  EXPECT_EQ(memory_use().allocations, before + 1);  // the result, and no copy of an operand
}

TEST(Matmul, AnyThreadsGiveTheSameBits) {
  struct Sizes {
    Shape a, b;
  };
  const Sizes all[] = {{{500, 300}, {300, 700}},  {{33, 2000}, {2000, 65}},  {{30, 40, 50}, {30, 50, 60}},
                       {{4, 100, 64}, {64, 256}}, {{1, 1000}, {1000, 1000}}, {{3, 3}, {3, 3}}};
  for (const auto& [a_shape, b_shape] : all) {
    for (Dtype dtype : {f32, f64}) {
      const Tensor a = random_normal(a_shape, dtype, 1).requires_grad_();
      const Tensor b = random_normal(b_shape, dtype, 2).requires_grad_();
      const auto run = [&] {
        a.set_grad({});
        b.set_grad({});
        const Tensor y = matmul(a, b);
        y.backward(y.detach());
        return std::vector<Tensor>{y.detach(), a.grad(), b.grad()};
      };
      const auto one = with_threads(1, run);
      for (int threads : {2, 3, 8}) {
        const auto many = with_threads(threads, run);
        for (std::size_t i = 0; i < one.size(); ++i)
          EXPECT_TRUE(same_bits(many[i], one[i])) << threads << " " << i;
      }
    }
  }
}

TEST(Matmul, ManyCallersAtOnceGetTheSameBits) {
  const Tensor x = random_normal({200, 200}, f32);
  const Tensor expected = matmul(x, x);
  Tensor results[4];
  std::vector<std::thread> callers;
  for (Tensor& result : results) callers.emplace_back([&] { result = matmul(x, x); });
  for (std::thread& caller : callers) caller.join();
  for (const Tensor& result : results) EXPECT_TRUE(same_bits(result, expected));
}

/// One block of work is computed by the caller, whose BLAS must not start threads of its own.
TEST(Matmul, OpenMpsOwnSettingDoesNotMatterEither) {
  const int before = omp_get_max_threads();
  const Tensor x = random_normal({63, 1500}, f32, 1);
  const Tensor y = random_normal({1500, 64}, f32, 2);
  omp_set_num_threads(1);
  const Tensor expected = matmul(x, y);
  for (int threads : {2, 3, 8}) {
    omp_set_num_threads(threads);
    EXPECT_TRUE(same_bits(matmul(x, y), expected)) << threads;
  }
  omp_set_num_threads(before);
}

TEST(Matmul, LeavesOpenMpAsItWas) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(5);
  const Tensor x = random_normal({200, 200}, f32);
  matmul(x, x);
  matmul(x[0], x);
  EXPECT_EQ(omp_get_max_threads(), 5);
  omp_set_num_threads(before);
}

TEST(Matmul, SkipsTheGradientNobodyWants) {
  const Tensor x = random_normal({64, 64}, f32);
  const Tensor w = random_normal({64, 64}, f32, 2).requires_grad_();
  const Tensor y = matmul(x, w);
  const Tensor seed = ones({64, 64});
  const std::uint64_t before = memory_use().allocations;
  y.backward(seed);
  EXPECT_EQ(memory_use().allocations, before + 1);
}

}  // namespace
}  // namespace heed::test
