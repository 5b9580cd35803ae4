// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"
#include "support/tensors.h"

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

TEST(Creation, FromBraces) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
  EXPECT_EQ(x.dtype(), f32);
  EXPECT_EQ(x.to_vector(), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(tensor(3).shape(), Shape{});
  EXPECT_EQ(tensor({1.5}).item(), 1.5);
  EXPECT_EQ(tensor({true, false}).dtype(), boolean);
  EXPECT_EQ(tensor({true, 2}).dtype(), f32);
  EXPECT_EQ(tensor({{{1}, {2}}}).shape(), (Shape{1, 2, 1}));
  EXPECT_EQ(tensor({1.9, -1.9}, i64).to_vector<std::int64_t>(), (std::vector<std::int64_t>{1, -1}));
}

TEST(Creation, RaggedBracesAreAnError) {
  expect_errors({
      {[] {
         tensor({{1, 2}, {3}});
       },
       "tensor: nested lists are ragged: (2,) beside (1,)"},
      {[] {
         tensor({{1, 2}, 3});
       },
       "nested lists are ragged: (2,) beside ()"},
  });
}

TEST(Creation, FilledAndCounted) {
  EXPECT_EQ(zeros({2, 2}).to_vector(), Doubles(4, 0.0));
  EXPECT_EQ(ones({2}, i64).to_vector(), Doubles(2, 1.0));
  EXPECT_EQ(full({2}, 2.5, f64).to_vector(), Doubles(2, 2.5));
  EXPECT_EQ(full({1}, std::int64_t{1} << 60, i64).item<std::int64_t>(), std::int64_t{1} << 60);
  EXPECT_EQ(ones_like(zeros({3}, f64)).dtype(), f64);
  EXPECT_EQ(zeros_like(ones({3}, f64)).to_vector(), Doubles(3, 0.0));
  EXPECT_EQ(eye(2).to_vector(), (Doubles{1, 0, 0, 1}));
  EXPECT_EQ(eye(0).shape(), (Shape{0, 0}));
  EXPECT_EQ(arange(4).to_vector(), (Doubles{0, 1, 2, 3}));
  EXPECT_EQ(arange({.start = 1, .stop = 2, .step = 0.25}, f64).to_vector(), (Doubles{1, 1.25, 1.5, 1.75}));
  EXPECT_EQ(arange({.start = 3, .stop = 0, .step = -1}).to_vector(), (Doubles{3, 2, 1}));
  EXPECT_EQ(arange({.start = 3, .stop = 0}).numel(), 0);
  EXPECT_EQ(linspace(0, 1, 5, f64).to_vector(), (Doubles{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(linspace(2, 9, 1).to_vector(), (Doubles{2}));
  EXPECT_EQ(linspace(0, 1, 0).numel(), 0);
  EXPECT_EQ(empty({0, 3}).numel(), 0);
}

TEST(Creation, NumbersThatDoNotFitSaturate) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(tensor({1e30, -1e30, kNan, kInf, -kInf, -0x1p63}, i64).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{most, least, 0, most, least, least}));
  EXPECT_EQ(tensor(kNan).item<std::int64_t>(), 0);
  EXPECT_TRUE(tensor(kNan).item<bool>());
}

TEST(Creation, FromVector) {
  EXPECT_EQ(from_vector(std::vector<float>{1, 2}, {2, 1}).shape(), (Shape{2, 1}));
  EXPECT_EQ(from_vector(std::vector<bool>{true, false}, {2}).dtype(), boolean);
  EXPECT_EQ(from_vector(std::vector<std::int64_t>{7}, {}).item<std::int64_t>(), 7);
}

TEST(Creation, Errors) {
  expect_errors({
      {[] {
         empty({2, -1});
       },
       "empty: sizes must not be negative, found (2, -1)"},
      {[] { empty({1LL << 61}); }, "does not fit the address space"},
      {[] {
         from_vector(std::vector<float>{1, 2}, {3});
       },
       "from_vector: 2 values for shape (3,)"},
      {[] { arange({.stop = 1, .step = 0}); }, "arange: step must be finite and not 0, found 0"},
      {[] { arange({.stop = kInf}); }, "arange: start and stop must be finite"},
      {[] { linspace(0, 1, -2); }, "linspace: count must not be negative, found -2"},
      {[] { rand({2}, i64); }, "rand: dtype must be f32 or f64, found i64"},
      {[] { normal({2}, {.stddev = -1}); }, "normal: stddev must not be negative, found -1"},
      {[] { normal({2}, {}, boolean); }, "normal: dtype must be f32 or f64, found boolean"},
  });
}

TEST(Borrow, ReadsAndWritesMemoryFromOutside) {
  float memory[6] = {0, 1, 2, 3, 4, 5};
  const Tensor x = borrow(memory, {2, 3});
  EXPECT_EQ(x.at({1, 0}), 3);
  x.fill_(7);
  EXPECT_EQ(memory[5], 7);
}

TEST(Borrow, TakesAnyStrides) {
  const double memory[6] = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(borrow(memory, {3, 2}, {.strides = Strides{1, 3}}).to_vector(), (Doubles{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(borrow(memory + 5, {3}, {.strides = Strides{-2}}).to_vector(), (Doubles{5, 3, 1}));
  EXPECT_EQ(borrow(memory + 2, {2, 2}, {.strides = Strides{0, 1}}).to_vector(), (Doubles{2, 3, 2, 3}));
  EXPECT_EQ(borrow(static_cast<const double*>(nullptr), {0, 4}).numel(), 0);
}

TEST(Borrow, ConstMemoryCannotBeWritten) {
  const float memory[2] = {1, 2};
  const Tensor x = borrow(memory, {2});
  EXPECT_EQ(sum(x).item(), 3);
  expect_errors({
      {[&] { x.fill_(0); }, "the tensor is over read-only memory"},
      {[&] { x.slice(0, {.stop = 1}).copy_(ones({1})); }, "read-only"},
      {[&] { x.add_(x); }, "read-only"},
      {[&] { x.mutable_data<float>(); }, "read-only"},
  });
  x.clone().fill_(0);
}

TEST(Borrow, KeepsItsOwnerAlive) {
  const auto owner = std::make_shared<std::vector<float>>(4, 1.0F);
  {
    Tensor view;
    {
      const Tensor x = borrow(owner->data(), {4}, {.owner = owner});
      view = x.slice(0, {.start = 2});
    }
    EXPECT_EQ(owner.use_count(), 2);
    EXPECT_EQ(sum(view).item(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Borrow, Errors) {
  float memory[4] = {};
  expect_errors({
      {[&] {
         borrow(memory, {2}, {.strides = Strides{1, 1}});
       },
       "borrow: 2 strides for shape (2,)"},
      {[] { borrow(static_cast<float*>(nullptr), {1}); }, "borrow: data is null but shape is (1,)"},
      {[&] { borrow(memory, {-1}); }, "borrow: sizes must not be negative, found (-1,)"},
  });
}

}  // namespace
}  // namespace heed::test
