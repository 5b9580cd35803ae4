// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// cat, stack, repeat_interleave, gather, embedding, where.
#include "support/tensors.h"

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

TEST(Cat, JoinsAlongAnyDim) {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  const Tensor b = tensor({{5}, {6}});
  EXPECT_EQ(cat({a, b}, 1).to_vector(), (Doubles{1, 2, 5, 3, 4, 6}));
  EXPECT_EQ(cat({a, b}, -1).shape(), (Shape{2, 3}));
  EXPECT_EQ(cat({a, a.transpose(0, 1)}).to_vector(), (Doubles{1, 2, 3, 4, 1, 3, 2, 4}));
  EXPECT_EQ(cat({a, zeros({0, 2})}).shape(), (Shape{2, 2}));
  EXPECT_EQ(cat({tensor({true}), tensor({2}, i64), tensor({0.5})}).dtype(), f32);
  EXPECT_EQ(cat({tensor({true}), tensor({false})}).dtype(), boolean);
  EXPECT_EQ(cat(std::vector<Tensor>{a}).to_vector(), a.to_vector());
}

TEST(Stack, MakesANewDim) {
  const Tensor a = tensor({1, 2});
  const Tensor b = tensor({3, 4});
  EXPECT_EQ(stack({a, b}).to_vector(), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(stack({a, b}, 1).to_vector(), (Doubles{1, 3, 2, 4}));
  EXPECT_EQ(stack({a, b}, -1).to_vector(), (Doubles{1, 3, 2, 4}));
  EXPECT_EQ(stack({tensor(1), tensor(2)}).shape(), (Shape{2}));
}

TEST(RepeatInterleave, RepeatsEachSlice) {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  EXPECT_EQ(repeat_interleave(x, 2).to_vector(), (Doubles{1, 2, 1, 2, 3, 4, 3, 4}));
  EXPECT_EQ(repeat_interleave(x, 2, 1).to_vector(), (Doubles{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(repeat_interleave(tensor({3, 2}, i64), 3, -1).to_vector(), (Doubles{3, 3, 3, 2, 2, 2}));
  EXPECT_EQ(repeat_interleave(x, 0).shape(), (Shape{0, 2}));
}

TEST(Gather, PicksAlongAnyDim) {
  const Tensor x = random_normal({3, 4, 5});
  for (std::int64_t dim = 0; dim < 3; ++dim) {
    Shape shape = x.shape();
    shape[dim] = 6;
    const Tensor index = random_indices(x.size(dim), shape);
    const Tensor y = gather(x, dim, index);
    EXPECT_EQ(y.shape(), shape);
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      for (std::int64_t j = 0; j < shape[1]; ++j) {
        for (std::int64_t k = 0; k < shape[2]; ++k) {
          const auto at = index.at<std::int64_t>({i, j, k});
          EXPECT_EQ(y.at({i, j, k}), x.at({dim == 0 ? at : i, dim == 1 ? at : j, dim == 2 ? at : k}));
        }
      }
    }
    for (const Layout& layout : layouts(index)) EXPECT_TRUE(same_bits(gather(x, dim - 3, layout.tensor), y));
  }
  EXPECT_EQ(gather(tensor({{7, 8}}, i64), 1, tensor({{1}}, i64)).item(), 8);
  EXPECT_EQ(gather(tensor({{true, false}}), 1, tensor({{1}}, i64)).item<bool>(), false);
  EXPECT_EQ(gather(x, 0, zeros({0, 4, 5}, i64)).numel(), 0);
}

TEST(Embedding, PicksRows) {
  const Tensor table = random_normal({5, 3});
  const Tensor indices = tensor({{4, 0}, {2, 2}}, i64);
  const Tensor y = embedding(table, indices);
  EXPECT_EQ(y.shape(), (Shape{2, 2, 3}));
  EXPECT_TRUE(same_bits(y[0][0], table[4]));
  EXPECT_TRUE(same_bits(y[1][1], table[2]));
  EXPECT_TRUE(same_bits(embedding(table, indices.transpose(0, 1))[0][1], table[2]));
  EXPECT_EQ(embedding(table, tensor(3, i64)).shape(), (Shape{3}));
  EXPECT_EQ(embedding(table, zeros({0}, i64)).shape(), (Shape{0, 3}));
  EXPECT_EQ(embedding(zeros({5, 0}), indices).shape(), (Shape{2, 2, 0}));
}

TEST(Embedding, RepeatedRowsAddUpInOrder) {
  const Tensor table = zeros({100, 64}).requires_grad_();
  const Tensor indices = random_indices(100, {3000});
  const Tensor seed = random_normal({3000, 64}, f32);
  const auto run = [&] {
    table.set_grad({});
    embedding(table, indices).backward(seed);
    return table.grad();
  };
  std::vector<float> expected(6400, 0.0F);
  for (std::int64_t i = 0; i < 3000; ++i) {
    const auto row = indices.at<std::int64_t>({i});
    for (std::int64_t j = 0; j < 64; ++j) {
      expected[static_cast<std::size_t>(row * 64 + j)] += seed.data<float>()[i * 64 + j];
    }
  }
  for (int threads : {1, 2, 3, 8}) {
    EXPECT_TRUE(same_bits(with_threads(threads, run), from_vector(expected, {100, 64}))) << threads;
  }
}

TEST(Where, ChoosesAndBroadcasts) {
  const Tensor condition = tensor({true, false, true});
  EXPECT_EQ(where(condition, tensor({1, 2, 3}), tensor({4, 5, 6})).to_vector(), (Doubles{1, 5, 3}));
  EXPECT_EQ(where(condition, tensor(1), tensor({{7}, {8}})).to_vector(), (Doubles{1, 7, 1, 1, 8, 1}));
  EXPECT_EQ(where(condition, tensor({1, 2, 3}, i64), tensor({0.5})).dtype(), f32);
  EXPECT_EQ(where(condition, condition, tensor({true})).dtype(), boolean);
  EXPECT_EQ(where(zeros({0}, boolean), ones({1}), ones({1})).numel(), 0);
}

TEST(Where, WhatIsNotChosenNeverLeaks) {
  const Tensor a = tensor({1, kNan, 3}, f64).requires_grad_();
  const Tensor b = tensor({kNan, 5, kInf}, f64).requires_grad_();
  const Tensor y = where(tensor({true, false, true}), a, b);
  EXPECT_EQ(y.to_vector(), (Doubles{1, 5, 3}));
  y.backward(tensor({1, 2, 3}, f64));
  EXPECT_EQ(a.grad().to_vector(), (Doubles{1, 0, 3}));
  EXPECT_EQ(b.grad().to_vector(), (Doubles{0, 2, 0}));

  const Tensor c = tensor({-1, 4}, f64).requires_grad_();
  where(c > 0, c, zeros({2}, f64)).backward(tensor({kNan, 1}, f64));  // the usual trap: NaN times 0
  EXPECT_EQ(c.grad().to_vector(), (Doubles{0, 1}));
}

}  // namespace
}  // namespace heed::test
