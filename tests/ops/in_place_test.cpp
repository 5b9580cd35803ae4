// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"
#include "support/tensors.h"

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

TEST(Fill, WritesEveryElementOfAView) {
  const Tensor x = zeros({2, 3});
  x.slice(1, {.step = 2}).fill_(5);
  EXPECT_EQ(x.to_vector(), (Doubles{5, 0, 5, 5, 0, 5}));
  EXPECT_EQ(zeros({2}, i64).fill_(2.9).to_vector(), (Doubles{2, 2}));
  EXPECT_EQ(zeros({1}, boolean).fill_(1).item<bool>(), true);
  zeros({0}).fill_(1);
}

TEST(Copy, BroadcastsAndConverts) {
  const Tensor x = zeros({2, 3});
  x.copy_(tensor({1, 2, 3}, i64));
  EXPECT_EQ(x.to_vector(), (Doubles{1, 2, 3, 1, 2, 3}));
  x.copy_(tensor({{true}, {false}}));
  EXPECT_EQ(x.to_vector(), (Doubles{1, 1, 1, 0, 0, 0}));
  const Tensor whole = zeros({2}, i64);
  whole.copy_(tensor({-2.5, kNan}));
  EXPECT_EQ(whole.to_vector(), (Doubles{-2, 0}));
}

/// Every pair of slices of one buffer, against copying through a temporary.
TEST(Copy, IsRightWhereMemoryOverlaps) {
  const Slice slices[] = {{.stop = 6},
                          {.start = 1, .stop = 7},
                          {.start = 2},
                          {.start = 5, .stop = 11},
                          {.start = 6, .stop = 0, .step = -1},
                          {.start = 7, .stop = 1, .step = -1},
                          {.stop = 12, .step = 2},
                          {.start = -1, .step = -2}};
  for (const Slice& to : slices) {
    for (const Slice& from : slices) {
      const Tensor expected = arange(12);
      if (expected.slice(0, to).numel() != expected.slice(0, from).numel()) continue;
      const Tensor copied = arange(12);
      const Tensor added = arange(12);
      copied.slice(0, to).copy_(copied.slice(0, from));
      added.slice(0, to).add_(added.slice(0, from), 2);
      expected.slice(0, to).copy_(arange(12).slice(0, from));
      EXPECT_TRUE(same_bits(copied, expected));
      expected.copy_(arange(12));
      expected.slice(0, to).add_(arange(12).slice(0, from), 2);
      EXPECT_TRUE(same_bits(added, expected));
    }
  }
}

TEST(Copy, IsRightWhereBorrowedMemoryOverlaps) {
  float memory[5] = {0, 1, 2, 3, 4};
  borrow(memory + 1, {4}).copy_(borrow(memory, {4}));
  EXPECT_EQ(borrow(memory, {5}).to_vector(), (Doubles{0, 0, 1, 2, 3}));
  const Tensor x = arange(4).reshape({2, 2});
  x.copy_(x.transpose(0, 1));
  EXPECT_EQ(x.to_vector(), (Doubles{0, 2, 1, 3}));
  x.copy_(x[0]);
  EXPECT_EQ(x.to_vector(), (Doubles{0, 2, 0, 2}));
}

TEST(AddInPlace, ScalesAndBroadcasts) {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  x.add_(tensor({10, 20}));
  EXPECT_EQ(x.to_vector(), (Doubles{11, 22, 13, 24}));
  x.add_(x, -0.5);
  EXPECT_EQ(x.to_vector(), (Doubles{5.5, 11, 6.5, 12}));
  x.transpose(0, 1).add_(tensor({{1}, {2}}, i64));
  EXPECT_EQ(x.to_vector(), (Doubles{6.5, 13, 7.5, 14}));
  EXPECT_EQ(tensor({5}, i64).add_(tensor({2}, i64), -3).item(), -1);
  EXPECT_EQ(tensor({1}, f64).add_(tensor({0.5})).item(), 1.5);
}

TEST(AddInPlace, AllocatesNothingInTheUsualCase) {
  const Tensor x = zeros({1000});
  const Tensor y = ones({1000});
  const std::uint64_t before = memory_use().allocations;
  x.add_(y, 0.5);
  x.add_(x);
  x.fill_(0);
  x.copy_(y);
  EXPECT_EQ(memory_use().allocations, before);
}

TEST(InPlace, Errors) {
  const Tensor x = zeros({2, 3});
  expect_errors({
      {[&] { x.copy_(zeros({2})); }, "copy_: source (2,) does not broadcast to (2, 3)"},
      {[&] {
         x.copy_(zeros({1, 2, 3}));
       },
       "copy_: source (1, 2, 3) does not broadcast to (2, 3)"},
      {[&] { x.copy_({}); }, "copy_: source is undefined"},
      {[&] {
         x.add_(zeros({3, 3}));
       },
       "add_: source (3, 3) does not broadcast to (2, 3)"},
      {[&] { zeros({1}).expand({3}).fill_(1); }, "fill_: elements of an expanded tensor share memory"},
      {[&] { zeros({1}).expand({3}).copy_(zeros({3})); },
       "copy_: elements of an expanded tensor share memory"},
      {[&] { zeros({1}).expand({3}).add_(zeros({3})); }, "add_: elements of an expanded tensor share memory"},
      {[&] { zeros({1}, boolean).add_(zeros({1}, boolean)); },
       "add_: tensor must be a number, found boolean"},
      {[&] { zeros({1}, i64).add_(zeros({1})); }, "add_: f32 does not add to i64 without loss"},
      {[&] { zeros({1}, i64).add_(zeros({1}, i64), 0.5); }, "add_: alpha must be whole for i64, found 0.5"},
  });
}

}  // namespace
}  // namespace heed::test
