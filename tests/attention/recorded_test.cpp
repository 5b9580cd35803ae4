// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// attend_recorded: the gradients of a call whose results are known are those of the call itself, bit for bit.
#include "support/attention_cases.h"
#include "support/errors.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

std::vector<Tensor> take_gradients(const std::vector<Tensor>& leaves) {
  std::vector<Tensor> grads;
  for (const Tensor& leaf : leaves) {
    grads.push_back(leaf.grad());
    leaf.set_grad({});
  }
  return grads;
}

class Recorded : public testing::TestWithParam<ScoreName> {};

TEST_P(Recorded, HasTheGradientsOfTheCall) {
  Generator g(31);
  for (int n = 0; n < 100; ++n) {
    const AttentionCase c = random_case(g, GetParam());
    SCOPED_TRACE(c.describe());
    const AttentionProblem p = build(c, g);
    const std::vector<Tensor> leaves = p.differentiable();
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    const AttendResult result = p.attend_with_weights();
    const Tensor seeds[] = {random_normal(result.output.shape()), random_normal(result.log_sum_exp.shape())};
    const KnownResult known{result.output.clone(), result.log_sum_exp.clone()};
    const Tensor roots[] = {result.output, result.log_sum_exp};
    backward(roots, seeds);
    const std::vector<Tensor> expected = take_gradients(leaves);

    Generator dropout = p.dropout_generator;
    AttendOptions options = p.options;
    if (options.dropout > 0) options.generator = &dropout;
    const AttendResult again = attend_recorded(p.queries, p.keys, p.values, options, known);
    ASSERT_TRUE(identical(again.output, result.output));
    ASSERT_TRUE(identical(again.weights(), result.weights()));
    const Tensor recorded_roots[] = {again.output, again.log_sum_exp};
    backward(recorded_roots, seeds);
    const std::vector<Tensor> found = take_gradients(leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) ASSERT_TRUE(same_bits(found[i], expected[i])) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Scores, Recorded, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

TEST(RecordedCall, RefusesResultsThatDoNotFit) {
  const Tensor x = ones({3, 2}, f64);
  expect_errors({
      {[&] {
         attend_recorded(x, x, x, {}, {ones({2, 2}, f64), ones({3}, f64)});
       },
       "attend_recorded: output must have shape (3, 2), found (2, 2)"},
      {[&] {
         attend_recorded(x, x, x, {}, {ones({3, 2}), ones({3}, f64)});
       },
       "output"},
      {[&] {
         attend_recorded(x, x, x, {}, {x, ones({3, 1}, f64)});
       },
       "log_sum_exp must have shape (3,)"},
  });
}

TEST(BackwardOfSeveral, SumsWhatEachGives) {
  const Tensor x = tensor({1, 2}, f64).requires_grad_();
  const Tensor shared = exp(x);
  const Tensor roots[] = {sum(shared), sum(shared * x), ones({}, f64)}, seeds[] = {{}, {}, {}};
  backward(roots, seeds);
  EXPECT_TRUE(near(x.grad(), exp(x.detach()) * (x.detach() + 2)));
  expect_error([] { backward(std::vector{ones({})}, std::vector{Tensor()}); }, "the tensor has no graph");
  expect_error([] { backward(std::vector{ones({})}, {}); }, "0 seeds for 1 tensors");
}

}  // namespace
}  // namespace heed::test
