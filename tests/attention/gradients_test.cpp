// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Gradients of attend() against central differences in f64, and the engine at sizes that fill its blocks.
#include "support/attention_cases.h"
#include "support/gradcheck.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

/// At the default step, or at a longer one: small entries drown in rounding at the first, large directions bend too
/// much for the second. A wrong gradient matches at neither.
testing::AssertionResult match_at_some_step(const Function& f, const std::vector<Tensor>& inputs) {
  const testing::AssertionResult usual = gradients_match(f, inputs);
  return usual ? usual : gradients_match(f, inputs, {.step = 0x1p-15});
}

class AttendGradients : public testing::TestWithParam<ScoreName> {};

/// The problem with its differentiable tensors replaced, in the order differentiable() lists them.
AttentionProblem with_inputs(AttentionProblem p, const std::vector<Tensor>& x) {
  std::size_t next = 3;
  p.queries = x[0];
  p.keys = x[1];
  p.values = x[2];
  if (p.options.bias.defined()) p.options.bias = x[next++];
  if (auto* gaussian = std::get_if<Gaussian>(&p.options.score)) {
    (gaussian->bandwidth.given() ? gaussian->bandwidth : gaussian->w) = x[next++];
  }
  if (auto* additive = std::get_if<Additive>(&p.options.score)) {
    additive->W_q = x[next++];
    additive->W_k = x[next++];
    additive->w_v = x[next++];
  }
  return p;
}

TEST_P(AttendGradients, OutputAndLogSumExpMatchCentralDifferences) {
  Generator g(51);
  for (int n = 0; n < 12; ++n) {
    AttentionCase c = random_case(g, GetParam());
    // A step into -inf is no derivative.
    if (c.bias == AttentionCase::Bias::kWithMinusInf) c.bias = AttentionCase::Bias::kFull;
    SCOPED_TRACE(c.describe());
    AttentionProblem p = build(c, g);
    // Where tanh is flat, gradients of 1e-8 drown in the rounding of a difference.
    if (c.softcap) p.options.softcap = 20;
    const auto output = [&](const std::vector<Tensor>& x) { return with_inputs(p, x).attend(); };
    ASSERT_TRUE(match_at_some_step(output, p.differentiable()));
    const auto log_sum_exp = [&](const std::vector<Tensor>& x) {
      const Tensor lse = with_inputs(p, x).attend_with_weights().log_sum_exp;
      return where(lse > -1e300, lse, zeros({}, f64));  // rows without pairs have nothing to differentiate
    };
    ASSERT_TRUE(match_at_some_step(log_sum_exp, p.differentiable()));
  }
}

/// Several query blocks, key blocks and chunks, with tails everywhere.
TEST_P(AttendGradients, LargeProblemsMatchTheComposition) {
  Generator g(52);
  for (int n = 0; n < 6; ++n) {
    AttentionCase c = random_case(g, GetParam());
    c.rank = 4;
    c.B = 1;
    c.Hkv = 1;
    c.H = 2;
    c.Lq = random_int(g, 90, 210);
    c.Lk = random_int(g, 130, 1100);
    SCOPED_TRACE(c.describe());
    const AttentionProblem p = build(c, g);
    const std::vector<Tensor> leaves = p.differentiable();
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    const Tensor expected = composition(p);
    const Tensor seed = normal(expected.shape(), {}, c.dtype, g);
    expected.backward(seed);
    std::vector<Tensor> expected_grads;
    for (const Tensor& leaf : leaves) {
      expected_grads.push_back(leaf.grad());
      leaf.set_grad({});
    }
    const Tensor out = p.attend();
    ASSERT_TRUE(all_close(out, expected, {1e-8, 1e-9}));
    out.backward(seed);
    for (std::size_t m = 0; m < leaves.size(); ++m) {
      ASSERT_TRUE(all_close(leaves[m].grad(), expected_grads[m], {1e-7, 1e-8})) << "input " << m;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, AttendGradients, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

TEST(LargeScores, GrowingPastTheReferenceStayExact) {
  // Scores climb by orders of magnitude along the keys, so that the running reference must be given up again and again.
  const std::int64_t L = 700;
  Generator g(53);
  const Tensor q = ones({3, 1}, f64), v = normal({L, 2}, {}, f64, g);
  const Tensor k = (arange(L, f64) * 3.0).reshape({L, 1});
  const Tensor exact = matmul(softmax(matmul(q, k.transpose(0, 1)), -1), v);
  EXPECT_TRUE(all_close(attend(q, k, v, {.score = Dot{}}), exact, {1e-9, 1e-12}));
  EXPECT_TRUE(
      all_close(attend(q.to(f32), k.to(f32), v.to(f32), {.score = Dot{}}).to(f64), exact, {1e-4, 1e-5}));
}

TEST(SimdTiers, AreListedForcedAndNamed) {
  const std::vector<std::string> tiers = simd_tiers();
  ASSERT_FALSE(tiers.empty());
  EXPECT_EQ(tiers.back(), "baseline");
  const std::string before = simd_tier();
  for (const std::string& tier : tiers) {
    set_simd_tier(tier);
    EXPECT_EQ(simd_tier(), tier);
  }
  set_simd_tier(before);
  EXPECT_THROW(set_simd_tier("mmx"), Error);
}

}  // namespace
}  // namespace heed::test
