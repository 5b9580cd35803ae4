// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <sstream>

namespace heed::test {
namespace {

TEST(Shape, PrintsAsPythonDoes) {
  EXPECT_EQ(to_string(Shape{}), "()");
  EXPECT_EQ(to_string(Shape{4}), "(4,)");
  EXPECT_EQ(to_string(Shape{2, 3}), "(2, 3)");
  std::ostringstream out;
  out << Shape{1, 0, 5};
  EXPECT_EQ(out.str(), "(1, 0, 5)");
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape{}.numel(), 1);
  EXPECT_EQ((Shape{2, 3, 4}).numel(), 24);
  EXPECT_EQ((Shape{2, 0, 4}).numel(), 0);
  EXPECT_EQ((Shape{1LL << 40, 1LL << 40, 0}).numel(), 0);
}

TEST(Shape, InsertsAndErases) {
  Shape shape{2, 4};
  shape.insert(1, 3);
  EXPECT_EQ(shape, (Shape{2, 3, 4}));
  shape.insert(0, 1);
  shape.insert(4, 5);
  EXPECT_EQ(shape, (Shape{1, 2, 3, 4, 5}));
  shape.erase(0);
  shape.erase(3);
  EXPECT_EQ(shape, (Shape{2, 3, 4}));
  EXPECT_EQ(shape.back(), 4);
}

TEST(Shape, BroadcastsAsNumpyDoes) {
  EXPECT_EQ(broadcast_shapes({2, 3}, {3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_shapes({3}, {2, 3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast_shapes({2, 1, 4}, {3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast_shapes({}, {2}), (Shape{2}));
  EXPECT_EQ(broadcast_shapes({0}, {1}), (Shape{0}));
  EXPECT_EQ(broadcast_shapes({1}, {2, 0}), (Shape{2, 0}));
}

TEST(Shape, Errors) {
  expect_errors({
      {[] { Shape::filled(9, 1); }, "shape: more than 8 dimensions"},
      {[] {
         (void)(Shape{1LL << 40, 1LL << 40}).numel();
       },
       "more than 2^63 elements"},
      {[] {
         broadcast_shapes({2, 3}, {2});
       },
       "shapes (2, 3) and (2,) do not match"},
      {[] { broadcast_shapes({0}, {2}); }, "shapes (0,) and (2,) do not match"},
  });
}

TEST(Dtype, NamesSizesAndOrder) {
  EXPECT_STREQ(name(f32), "f32");
  EXPECT_STREQ(name(boolean), "boolean");
  EXPECT_EQ(size_of(f32), 4U);
  EXPECT_EQ(size_of(i64), 8U);
  EXPECT_TRUE(is_floating(f64));
  EXPECT_FALSE(is_floating(i64));
  const Dtype order[] = {boolean, i64, f32, f64};
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) EXPECT_EQ(promote(order[a], order[b]), order[std::max(a, b)]);
  }
}

}  // namespace
}  // namespace heed::test
