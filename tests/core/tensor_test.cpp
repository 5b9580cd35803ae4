// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Geometry and element access.
#include "support/errors.h"
#include "support/tensors.h"

namespace heed::test {
namespace {

TEST(EmptyTensor, MayBeOfAnySizeBesideTheZero) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const Tensor x = empty({kHuge, 0, kHuge, kHuge});
  EXPECT_EQ(x.numel(), 0);
  EXPECT_TRUE(x.is_contiguous());
  for (std::int64_t i = 0; i < x.rank(); ++i) EXPECT_GE(x.strides()[i], 1);
}

TEST(Tensor, KnowsItsGeometry) {
  const Tensor x = zeros({2, 3, 4}, f64);
  EXPECT_TRUE(x.defined());
  EXPECT_EQ(x.rank(), 3);
  EXPECT_EQ(x.numel(), 24);
  EXPECT_EQ(x.size(-1), 4);
  EXPECT_EQ(x.strides(), (Strides{12, 4, 1}));
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_FALSE(x.transpose(0, 1).is_contiguous());
  EXPECT_TRUE(zeros({2, 1, 3}).transpose(0, 1).is_contiguous());  // a dim of 1 has no place in memory
  EXPECT_TRUE(zeros({0, 3}).transpose(0, 1).is_contiguous());
}

TEST(Tensor, ReadsElements) {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  EXPECT_EQ(x.at({1, 0}), 3);
  EXPECT_EQ(x.at({-1, -1}), 4);
  EXPECT_EQ(x.at<std::int64_t>({0, 1}), 2);
  EXPECT_EQ(x.data<float>()[3], 4.0F);
  EXPECT_EQ(x.transpose(0, 1).to_vector<float>(), (std::vector<float>{1, 3, 2, 4}));
  EXPECT_EQ(tensor({{{7}}}).item<float>(), 7.0F);
  EXPECT_EQ(tensor({0, 2}).to_vector<bool>(), (std::vector<bool>{false, true}));
}

TEST(Tensor, CopiesShareMemoryAndClonesDoNot) {
  const Tensor x = zeros({2});
  const Tensor copy = x;  // NOLINT(performance-unnecessary-copy-initialization): it is what is tested
  const Tensor clone = x.clone();
  x.fill_(1);
  EXPECT_EQ(copy.at({0}), 1);
  EXPECT_EQ(clone.at({0}), 0);
}

TEST(Tensor, Errors) {
  const Tensor nothing;
  const Tensor x = zeros({2, 3});
  expect_errors({
      {[&] { (void)nothing.shape(); }, "undefined"},
      {[&] { (void)nothing.item(); }, "undefined"},
      {[&] { (void)nothing.to_vector(); }, "undefined"},
      {[&] { (void)nothing.data<float>(); }, "undefined"},
      {[&] { nothing.fill_(0); }, "fill_: tensor is undefined"},
      {[&] { (void)to_string(nothing); }, "undefined"},
      {[&] { (void)x.data<double>(); }, "data: tensor must be f64, found f32"},
      {[&] { x.mutable_data<std::int64_t>(); }, "mutable_data: tensor must be i64, found f32"},
      {[&] { (void)x.item(); }, "item: needs exactly one element, found shape (2, 3)"},
      {[&] { (void)x.at({0}); }, "at: 1 indices for shape (2, 3)"},
      {[&] {
         (void)x.at({0, 3});
       },
       "at: index 3 is out of range for dim 1 of shape (2, 3)"},
      {[&] { (void)x.size(2); }, "size: dim 2 is out of range for a tensor of rank 2"},
  });
}

TEST(Runtime, ThreadsCanBeSet) {
  EXPECT_EQ(with_threads(3, [] { return num_threads(); }), 3);
  expect_error([] { set_num_threads(0); }, "set_num_threads: threads must be at least 1, found 0");
}

}  // namespace
}  // namespace heed::test
