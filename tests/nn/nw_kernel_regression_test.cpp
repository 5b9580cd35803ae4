// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::nn {
namespace {

constexpr Closeness kClose{.relative = 1e-12, .absolute = 1e-13};

NWKernelRegression regression(double w) {
  NWKernelRegression net({.dtype = f64});
  no_grad([&] { net.w.fill_(w); });
  return net;
}

/// As the notes write it.
Tensor weights_by_hand(const Tensor& queries, const Tensor& keys, const Tensor& w) {
  return softmax(-pow((queries.unsqueeze(-1) - keys) * w, 2) / 2, -1);
}

TEST(NWKernelRegression, IsTheFormulaOfTheNotes) {
  NWKernelRegression net = regression(1.7);
  const Tensor queries = normal({6}, {}, f64), keys = normal({6, 5}, {}, f64),
               values = normal({6, 5}, {}, f64);
  const Tensor weights = weights_by_hand(queries, keys, net.w);
  EXPECT_TRUE(all_close(net(queries, keys, values), sum(weights * values, -1), kClose));
  EXPECT_EQ(net.attention_weights().shape(), (Shape{6, 5}));
  EXPECT_TRUE(all_close(net.attention_weights(), weights, kClose));
  EXPECT_TRUE(identical(net.attention_weights({.rows = {4, -6}})[0], net.attention_weights()[4]));
  EXPECT_TRUE(identical(net.attention_weights({.rows = {4, -6}})[1], net.attention_weights()[0]));
}

TEST(NWKernelRegression, KeysAndValuesMayBeShared) {
  NWKernelRegression net = regression(0.8);
  const Tensor queries = normal({3}, {}, f64), keys = normal({5}, {}, f64), values = normal({5}, {}, f64);
  const Tensor rows_of_keys = keys.expand({3, 5}).contiguous(),
               rows_of_values = values.expand({3, 5}).contiguous();
  const Tensor expected = net(queries, rows_of_keys, rows_of_values);
  const Tensor weights = net.attention_weights();
  const auto expect_same = [&](const Tensor& k, const Tensor& v) {
    EXPECT_TRUE(all_close(net(queries, k, v), expected, kClose));
    EXPECT_TRUE(all_close(net.attention_weights(), weights, kClose));
    EXPECT_TRUE(all_close(net.attention_weights({.rows = {2}})[0], weights[2], kClose));
  };
  expect_same(keys, values);
  expect_same(rows_of_keys, values);
  expect_same(keys, rows_of_values);
}

TEST(NWKernelRegression, PredictsAWeightFromAWaist) {
  NWKernelRegression net = regression(1);
  const Tensor f = net(tensor({57}, f64), tensor({51, 56, 58}, f64), tensor({40, 43, 48}, f64));
  EXPECT_NEAR(f.item(), 45.5, 1e-6);
  EXPECT_NEAR(net.attention_weights().at({0, 0}), 0, 1e-7);
}

TEST(NWKernelRegression, TheWidthGoesFromTheAverageToTheNearestPoint) {
  const Tensor queries = tensor({0.9}, f64), keys = tensor({0, 1, 2}, f64), values = tensor({1, 5, 9}, f64);
  EXPECT_NEAR(regression(0)(queries, keys, values).item(), 5, 1e-12);
  EXPECT_NEAR(regression(100)(queries, keys, values).item(), 5, 1e-12);
  EXPECT_LT(regression(1)(queries, keys, values).item(), 5);
}

TEST(NWKernelRegression, EmptySizesAreLegal) {
  NWKernelRegression net;
  EXPECT_EQ(net(ones({0}), ones({0, 5}), ones({0, 5})).shape(), Shape{0});
  EXPECT_TRUE(identical(net(ones({2}), ones({2, 0}), ones({2, 0})), zeros({2})));
  EXPECT_EQ(net.attention_weights().shape(), (Shape{2, 0}));
}

TEST(LeaveOneOut, GivesEachPointAllOthers) {
  EXPECT_TRUE(identical(leave_one_out(tensor({5, 6, 7})), tensor({{6, 7}, {5, 7}, {5, 6}})));
  EXPECT_TRUE(identical(leave_one_out(tensor({5, 6}, i64)), tensor({{6}, {5}}, i64)));
  EXPECT_EQ(leave_one_out(ones({1})).shape(), (Shape{1, 0}));
  const Tensor x = normal({4}).requires_grad_();
  sum(leave_one_out(x)).backward();
  EXPECT_TRUE(identical(x.grad(), full({4}, 3)));
}

}  // namespace
}  // namespace heed::nn
