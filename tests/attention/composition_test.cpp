// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// attend() against its definition by dense tensor operations: values, weights, log-sum-exp and gradients, over many
// generated problems.
#include "support/attention_cases.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed::test {
namespace {

constexpr Closeness kExact{.relative = 1e-9, .absolute = 1e-10};

class AgainstComposition : public testing::TestWithParam<ScoreName> {};

TEST_P(AgainstComposition, ValuesWeightsAndLogSumExp) {
  Generator g(11);
  for (int n = 0; n < 300; ++n) {
    const AttentionCase c = n % 75 == 0 ? random_long_case(g, GetParam()) : random_case(g, GetParam());
    SCOPED_TRACE(c.describe());
    const AttentionProblem p = build(c, g);
    Tensor dense_weights;
    const Tensor expected = composition(p, &dense_weights);
    const AttendResult result = p.attend_with_weights();
    ASSERT_TRUE(all_close(result.output, expected, kExact));
    ASSERT_TRUE(all_close(result.weights(), dense_weights, kExact));
    ASSERT_TRUE(identical(p.attend(), result.output));
    // exp(score - lse) = weight for every pair that takes part, so sum exp(score - lse) = 1 or the row is empty.
    ASSERT_EQ(result.log_sum_exp.rank(), result.output.rank() - 1);
    if (c.Lk == 0) continue;
    const Tensor empty_row = logical_not(max(p.takes_part.to(i64), -1) > 0);
    const double inf = std::numeric_limits<double>::infinity();
    ASSERT_TRUE(identical(result.log_sum_exp == -inf, empty_row));
  }
}

TEST_P(AgainstComposition, Gradients) {
  Generator g(12);
  for (int n = 0; n < 200; ++n) {
    const AttentionCase c = n % 75 == 0 ? random_long_case(g, GetParam()) : random_case(g, GetParam());
    SCOPED_TRACE(c.describe());
    AttentionProblem p = build(c, g);
    const std::vector<Tensor> leaves = p.differentiable();
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    const Tensor expected = composition(p);
    const Tensor seed = normal(expected.shape(), {}, c.dtype, g);
    // -inf in a bias is a constant; the composition's own gradient there is what is compared.
    expected.backward(seed);
    std::vector<Tensor> expected_grads;
    for (const Tensor& leaf : leaves) {
      expected_grads.push_back(leaf.grad());
      leaf.set_grad({});
    }
    p.attend().backward(seed);
    for (std::size_t m = 0; m < leaves.size(); ++m) {
      ASSERT_TRUE(leaves[m].grad().defined()) << "input " << m;
      ASSERT_TRUE(all_close(leaves[m].grad(), expected_grads[m], kExact)) << "input " << m << "\n"
                                                                          << leaves[m].grad() << "\n"
                                                                          << expected_grads[m];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, AgainstComposition, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

/// How much rounding of the inputs can move a score of the whole problem: at least max |scale| sum |q||k| for a product, and the
/// largest bias.
double amplification(const AttentionProblem& p) {
  const auto largest = [](const Tensor& x) {
    return x.defined() && x.numel() > 0 ? max(where(abs(x) < 1e30, abs(x), zeros({}, f64))).item() : 0;
  };
  const double bias = largest(p.options.bias);
  const auto row_norm = [&](const Tensor& x) {
    return x.size(-1) > 0 && x.numel() > 0 ? largest(sum(abs(x), -1)) : 0;
  };
  if (const auto* additive = std::get_if<Additive>(&p.options.score)) {
    return row_norm(additive->w_v.reshape({1, additive->w_v.numel()})) *
               (1 + row_norm(p.queries) * largest(additive->W_q) +
                row_norm(p.keys) * largest(additive->W_k)) +
           bias;
  }
  return row_norm(p.queries) * largest(p.keys) + row_norm(p.keys) * largest(p.keys) + bias;
}

/// Error of a row in units of u (1 + A) sum p|v|, and against the plain f32 composition. accuracy_test.cpp has the documented
/// bound, whose A is the row's own.
TEST(RandomCases, AreAsAccurateAsTheCompositionInF32) {
  Generator g(13);
  double worst = 0;
  for (int n = 0; n < 400; ++n) {
    AttentionCase c = random_case(g);
    c.dropout = 0;
    if (c.Lq == 0 || c.Lk == 0 || c.Dv == 0) continue;
    SCOPED_TRACE(c.describe());
    c.dtype = f32;
    AttentionProblem p = build(c, g);
    const Tensor got = p.attend();
    const Tensor plain = composition(p);
    AttentionProblem wide = p;  // the same f32 numbers, computed in f64
    wide.queries = p.queries.to(f64);
    wide.keys = p.keys.to(f64);
    wide.values = p.values.to(f64);
    if (p.options.bias.defined()) wide.options.bias = p.options.bias.to(f64);
    if (auto* gaussian = std::get_if<Gaussian>(&wide.options.score)) {
      auto& width = gaussian->w.given() ? gaussian->w : gaussian->bandwidth;
      width = width.tensor().to(f64);
    }
    if (auto* additive = std::get_if<Additive>(&wide.options.score)) {
      *additive = {additive->W_q.to(f64), additive->W_k.to(f64), additive->w_v.to(f64)};
    }
    const Tensor exact = composition(wide);
    const Tensor error = max(abs(got.to(f64) - exact), -1), plain_error = max(abs(plain.to(f64) - exact), -1);
    wide.values = abs(wide.values);
    const Tensor weighted = max(composition(wide), -1);
    const Tensor unit = weighted * (0x1p-24 * (1 + amplification(wide))) + 1e-30;
    worst = std::max(worst, max(error / unit).item());
    ASSERT_LE(max(error).item(), (2 * max(plain_error) + max(unit)).item());
  }
  RecordProperty("worst_K", std::to_string(worst));
  std::cout << "worst K: " << worst << "\n";
  EXPECT_LT(worst, 3);
}

/// Values of one sign make partial sums grow, and small scores leave nothing else to go wrong.
TEST(LongRows, LoseNoMoreDigitsThanShortOnes) {
  Generator g(14);
  for (const std::int64_t Lk : {192, 1000, 2304, 5000, 30000}) {
    for (const double stddev : {0.0, 0.01, 1.0}) {
      SCOPED_TRACE(testing::Message() << "Lk " << Lk << " stddev " << stddev);
      const Tensor q = normal({64, 16}, {.stddev = stddev}, f32, g), k = normal({Lk, 16}, {}, f32, g),
                   v = rand({Lk, 8}, f32, g);
      const Tensor weights = softmax(matmul(q.to(f64), k.to(f64).transpose(0, 1)) * 0.25, -1);
      const Tensor exact = matmul(weights, v.to(f64));
      const double size = 1 + 0.25 * max(abs(matmul(q, k.transpose(0, 1)))).item();
      EXPECT_LT(max(abs(attend(q, k, v).to(f64) - exact) / exact).item(), 20 * size * 0x1p-24);
      const Tensor one = attend(q, k, ones({Lk, 8}));
      EXPECT_LE(max(abs(one - 1)).item(), 2 * 0x1p-24);
    }
  }
}

}  // namespace
}  // namespace heed::test
