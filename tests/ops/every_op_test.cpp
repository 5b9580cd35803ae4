// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What holds for every operation: its gradient, any strides, any threads, f32 beside f64, inputs left alone.
#include "support/op_cases.h"

namespace heed::test {
namespace {

class EveryOp : public testing::TestWithParam<OpCase> {};

INSTANTIATE_TEST_SUITE_P(Ops, EveryOp, testing::ValuesIn(op_cases()),
                         [](const auto& op_case) { return op_case.param.name; });

/// The result, then the gradient of each input for one fixed seed.
std::vector<Tensor> results(const OpCase& op, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> leaves;
  for (const Tensor& x : inputs) leaves.push_back(x.detach().requires_grad_());
  const Tensor out = op.f(leaves);
  out.backward(random_normal(out.shape(), out.dtype(), 5));
  std::vector<Tensor> all = {out.detach()};
  for (const Tensor& leaf : leaves) all.push_back(leaf.grad());
  return all;
}

void expect_same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << "result " << i;
}

TEST_P(EveryOp, GradientMatchesDifferences) {
  EXPECT_TRUE(gradients_match(GetParam().f, GetParam().make(f64)));
}

TEST_P(EveryOp, GradientMatchesInRandomDirections) {
  EXPECT_TRUE(gradients_match(GetParam().f, GetParam().make(f64, 7), {.largest_jacobian = 0}));
}

TEST_P(EveryOp, AnyStridesGiveTheSameBits) {
  for (Dtype dtype : {f32, f64}) {
    const std::vector<Tensor> inputs = GetParam().make(dtype);
    const std::vector<Tensor> expected = results(GetParam(), inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (const Layout& layout : layouts(inputs[i])) {
        SCOPED_TRACE(layout.name + ", input " + std::to_string(i));
        std::vector<Tensor> awkward = inputs;
        awkward[i] = layout.tensor;
        expect_same_bits(results(GetParam(), awkward), expected);
      }
    }
  }
}

TEST_P(EveryOp, ManyThreadsGiveTheSameBits) {
  const std::vector<Tensor> inputs = GetParam().make(f32);
  const auto run = [&] { return results(GetParam(), inputs); };
  expect_same_bits(with_threads(3, run), with_threads(1, run));
}

TEST_P(EveryOp, SinglePrecisionFollowsDouble) {
  const std::vector<Tensor> single = results(GetParam(), GetParam().make(f32));
  const std::vector<Tensor> twice = results(GetParam(), GetParam().make(f64));
  for (std::size_t i = 0; i < single.size(); ++i) {
    EXPECT_EQ(single[i].dtype(), f32);
    EXPECT_EQ(twice[i].dtype(), f64);
    EXPECT_TRUE(near(single[i], twice[i], 3e-6)) << "result " << i;
  }
}

TEST_P(EveryOp, InputsAreLeftAlone) {
  const std::vector<Tensor> inputs = GetParam().make(f64);
  std::vector<Tensor> copies;
  for (const Tensor& x : inputs) copies.push_back(x.clone());
  results(GetParam(), inputs);
  expect_same_bits(inputs, copies);
}

TEST_P(EveryOp, RecordsNothingWithoutNeed) {
  const std::vector<Tensor> inputs = GetParam().make(f64);
  EXPECT_FALSE(GetParam().f(inputs).requires_grad());
  inputs[0].requires_grad_();
  EXPECT_FALSE(no_grad([&] { return GetParam().f(inputs); }).requires_grad());
  EXPECT_TRUE(GetParam().f(inputs).requires_grad());
}

/// Only one operand needs a gradient: it comes out as when all do.
TEST_P(EveryOp, OneGradientAloneIsTheSame) {
  const std::vector<Tensor> inputs = GetParam().make(f64);
  const std::vector<Tensor> expected = results(GetParam(), inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<Tensor> mixed;
    for (const Tensor& x : inputs) mixed.push_back(x.detach());
    mixed[i].requires_grad_();
    const Tensor out = GetParam().f(mixed);
    out.backward(random_normal(out.shape(), out.dtype(), 5));
    for (std::size_t j = 0; j < inputs.size(); ++j) EXPECT_EQ(mixed[j].grad().defined(), i == j);
    EXPECT_TRUE(same_bits(mixed[i].grad(), expected[i + 1]));
  }
}

}  // namespace
}  // namespace heed::test
