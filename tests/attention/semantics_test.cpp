// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What attention means at its edges: one test for each promise.
#include "support/attention_cases.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Inputs {
  Tensor q, k, v;
};
Inputs inputs(std::int64_t Lq, std::int64_t Lk, std::int64_t D = 3, std::int64_t Dv = 2, Dtype dtype = f64) {
  Generator g(5);
  return {normal({Lq, D}, {}, dtype, g), normal({Lk, D}, {}, dtype, g), normal({Lk, Dv}, {}, dtype, g)};
}

Tensor weights_of(const Inputs& x, const AttendOptions& options) {
  return attend_with_weights(x.q, x.k, x.v, options).weights();
}

/// The pairs with a weight above 0, as 0 and 1.
Tensor pattern(const Inputs& x, const Mask& m) { return (weights_of(x, {.mask = m}) > 0).to(i64); }

TEST(MaskMeaning, TrueAttends) {
  const Inputs x = inputs(2, 3);
  const Tensor allowed = tensor({{true, false, true}, {false, true, false}});
  EXPECT_TRUE(identical(pattern(x, mask(allowed)), allowed.to(i64)));
}

TEST(MaskMeaning, MasksComposeByAnd) {
  const Inputs x = inputs(4, 4);
  const Tensor odd = tensor({{true, false, true, true},
                             {true, true, false, true},
                             {true, true, true, false},
                             {false, true, true, true}});
  const Tensor expected = tensor({{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 0}}, i64);
  EXPECT_TRUE(identical(pattern(x, mask(odd) & causal() & window({.left = 1}) & valid_lens({3})), expected));
  EXPECT_TRUE(identical(pattern(x, valid_lens({3}) & valid_lens({{4, 1, 4, 2}})),
                        tensor({{1, 1, 1, 0}, {1, 0, 0, 0}, {1, 1, 1, 0}, {1, 1, 0, 0}}, i64)));
  EXPECT_TRUE(identical(pattern(x, mask(odd) & mask(logical_not(odd))), zeros({4, 4}, i64)));
}

TEST(MaskMeaning, AMaskedPairIsSkippedNotALargeNegativeNumber) {
  // Every attended score is far below any finite sentinel, and still gets all the weight.
  const Tensor q = full({1, 1}, -1e18, f64), k = ones({3, 1}, f64), v = tensor({{1}, {2}, {100}}, f64);
  const AttendResult r = attend_with_weights(q, k, v, {.score = Dot{}, .mask = valid_lens({2})});
  EXPECT_TRUE(identical(r.weights(), tensor({{0.5, 0.5, 0.0}}, f64)));
  EXPECT_EQ(r.output.item(), 1.5);
}

TEST(MaskMeaning, CausalCornersForNonSquareScores) {
  EXPECT_TRUE(
      identical(pattern(inputs(2, 4), causal(Align::kTopLeft)), tensor({{1, 0, 0, 0}, {1, 1, 0, 0}}, i64)));
  EXPECT_TRUE(identical(pattern(inputs(2, 4), causal(Align::kBottomRight)),
                        tensor({{1, 1, 1, 0}, {1, 1, 1, 1}}, i64)));
  EXPECT_TRUE(identical(pattern(inputs(4, 2), causal(Align::kTopLeft)),
                        tensor({{1, 0}, {1, 1}, {1, 1}, {1, 1}}, i64)));
  EXPECT_TRUE(identical(pattern(inputs(4, 2), causal(Align::kBottomRight)),
                        tensor({{0, 0}, {0, 0}, {1, 0}, {1, 1}}, i64)));
  EXPECT_TRUE(identical(pattern(inputs(3, 3), causal()), tensor({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}, i64)));
}

TEST(MaskMeaning, WindowsReachLeftAndRight) {
  EXPECT_TRUE(identical(pattern(inputs(4, 4), window({.left = 1, .right = 0})),
                        tensor({{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 1}}, i64)));
  EXPECT_TRUE(identical(pattern(inputs(2, 4), window({.left = 0, .right = 1, .align = Align::kBottomRight})),
                        tensor({{0, 0, 1, 1}, {0, 0, 0, 1}}, i64)));
  EXPECT_TRUE(identical(pattern(inputs(2, 4), window({})), ones({2, 4}, i64)));
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(
      identical(pattern(inputs(2, 4), window({.left = huge, .right = huge, .align = Align::kTopLeft})),
                ones({2, 4}, i64)));
}

TEST(EmptyRows, GiveZeroOutputZeroWeightsMinusInfAndNoGradient) {
  const Inputs x = inputs(2, 3);
  const std::vector<AttendOptions> ways = {
      {.mask = valid_lens({{0, 2}})},
      {.mask = mask(tensor({{false, false, false}, {true, true, false}}))},
      {.bias = tensor({{-kInf, -kInf, -kInf}, {0.0, 0.0, -kInf}}, f64)},
  };
  for (const AttendOptions& options : ways) {
    for (const Tensor& leaf : {x.q, x.k, x.v}) leaf.requires_grad_().set_grad({});
    const AttendResult r = attend_with_weights(x.q, x.k, x.v, options);
    EXPECT_TRUE(identical(r.output[0].detach(), zeros({2}, f64)));
    EXPECT_TRUE(identical(r.weights()[0], zeros({3}, f64)));
    EXPECT_EQ(r.log_sum_exp.at({0}), -kInf);
    EXPECT_TRUE(std::isfinite(r.log_sum_exp.at({1})));
    sum(r.output[0]).backward();
    for (const Tensor& leaf : {x.q, x.k, x.v}) EXPECT_TRUE(identical(leaf.grad(), zeros_like(leaf)));
  }
}

TEST(EmptyRows, NoKeysAtAll) {
  const AttendResult r = attend_with_weights(ones({2, 3}), ones({0, 3}), ones({0, 4}));
  EXPECT_TRUE(identical(r.output, zeros({2, 4})));
  EXPECT_EQ(r.weights().shape(), (Shape{2, 0}));
  EXPECT_EQ(r.log_sum_exp.at({1}), -kInf);
}

TEST(Bias, FiniteIsHonouredHoweverNegative) {
  const Inputs x = inputs(1, 2, 3, 2, f32);
  const Tensor lowest = full({1, 2}, -3e38, f32);
  const Tensor w = weights_of(x, {.score = Dot{}, .bias = lowest});
  EXPECT_NEAR(sum(w).item(), 1, 1e-6);
  const AttendResult one =
      attend_with_weights(x.q, x.k, x.v, {.score = Dot{}, .bias = tensor({{-3e38, -kInf}})});
  EXPECT_TRUE(identical(one.weights(), tensor({{1, 0}}, f32)));
  EXPECT_TRUE(all_close(one.output, x.v.slice(0, {0, 1})));
  EXPECT_TRUE(std::isfinite(one.log_sum_exp.item()));
  // What people add for padding: a row with nothing else is a mean, and has the gradients of one.
  const Tensor padding = full({1, 2}, std::numeric_limits<float>::lowest(), f32);
  x.v.requires_grad_();
  sum(attend(x.q, x.k, x.v, {.bias = padding})).backward();
  EXPECT_TRUE(all_close(x.v.grad(), full({2, 2}, 0.5, f32)));
}

/// Whatever fills the lanes beside the rows of a block.
TEST(Bias, MinusInfHidesAKeyFromEveryGradient) {
  Generator g(61);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t Lq : {1, 3, 9, 20, 24, 65}) {
      const Tensor q = normal({Lq, 4}, {}, dtype, g), k = normal({7, 4}, {}, dtype, g),
                   v = normal({7, 3}, {}, dtype, g), bias = normal({Lq, 7}, {}, dtype, g);
      bias.select(1, 3).fill_(-kInf);
      for (const bool gaussian : {false, true}) {
        const auto gradients = [&](double key, double value) {
          std::vector<Tensor> leaves = {q.clone(), k.clone(), v.clone(), full({4}, 0.7, dtype)};
          leaves[1].select(0, 3).fill_(key);
          leaves[2].select(0, 3).fill_(value);
          for (const Tensor& leaf : leaves) leaf.requires_grad_();
          const Score score = gaussian ? Score(Gaussian{.w = leaves[3]}) : Score(ScaledDot{});
          const Tensor out = attend(leaves[0], leaves[1], leaves[2], {.score = score, .bias = bias});
          out.backward(ones(out.shape(), dtype));
          std::vector<Tensor> found = {out.detach()};
          for (std::size_t n = 0; n < (gaussian ? 4U : 3U); ++n) found.push_back(leaves[n].grad());
          return found;
        };
        const std::vector<Tensor> clean = gradients(1, 1), poisoned = gradients(kNan, kInf);
        for (std::size_t n = 0; n < clean.size(); ++n) {
          EXPECT_TRUE(identical(poisoned[n], clean[n]))
              << "Lq " << Lq << " gaussian " << gaussian << ' ' << n;
        }
      }
    }
  }
}

TEST(Nan, InAnAttendedSlotReachesExactlyWhatDependsOnIt) {
  const auto nan_rows = [](const Tensor& out) { return (out != out).to(i64); };
  const Mask two = valid_lens({{1, 3}});
  {
    const Inputs x = inputs(2, 3);
    x.k.select(0, 2).select(0, 1).fill_(kNan);  // key 2: row 1 only
    EXPECT_TRUE(identical(nan_rows(attend(x.q, x.k, x.v, {.mask = two})), tensor({{0, 0}, {1, 1}}, i64)));
  }
  {
    const Inputs x = inputs(2, 3);
    x.v.select(0, 2).select(0, 1).fill_(kNan);  // value 2, column 1
    EXPECT_TRUE(identical(nan_rows(attend(x.q, x.k, x.v, {.mask = two})), tensor({{0, 0}, {0, 1}}, i64)));
  }
  {
    const Inputs x = inputs(2, 3);
    x.q.select(0, 0).fill_(kNan);  // query 0
    EXPECT_TRUE(identical(nan_rows(attend(x.q, x.k, x.v, {.mask = two})), tensor({{1, 1}, {0, 0}}, i64)));
  }
  {
    const Inputs x = inputs(2, 3);
    const Tensor bias = tensor({{0.0, kNan, 0.0}, {0.0, kNan, 0.0}}, f64);  // key 1: row 1 only
    EXPECT_TRUE(identical(nan_rows(attend(x.q, x.k, x.v, {.mask = two, .bias = bias})),
                          tensor({{0, 0}, {1, 1}}, i64)));
  }
}

TEST(Scale, DefaultsToOneOverRootD) {
  const Inputs x = inputs(2, 3, 4);
  EXPECT_TRUE(identical(weights_of(x, {}), weights_of(x, {.score = ScaledDot{.scale = 0.5}})));
  EXPECT_TRUE(identical(weights_of(x, {.score = ScaledDot{.scale = 1}}), weights_of(x, {.score = Dot{}})));
}

TEST(Scale, ZeroAndNegativeAreRight) {
  const Inputs x = inputs(2, 3);
  EXPECT_TRUE(all_close(weights_of(x, {.score = ScaledDot{.scale = 0}}), full({2, 3}, 1.0 / 3, f64)));
  EXPECT_TRUE(all_close(weights_of(x, {.score = ScaledDot{.scale = -2}}),
                        weights_of({x.q * -1, x.k, x.v}, {.score = ScaledDot{.scale = 2}})));
}

TEST(Scale, SoSmallThatGradientsTimesItWouldVanishLosesNoDigits) {
  const auto gradient = [](Dtype dtype) {
    const Tensor q = random_normal({20, 4}, dtype).requires_grad_();
    attend(q, random_normal({30, 4}, dtype, 2), random_normal({30, 3}, dtype, 3) * 1e22,
           {.score = ScaledDot{.scale = 1e-30}})
        .backward(random_normal({20, 3}, dtype, 4) * 1e-15);
    return q.grad().to(f64) * 1e24;
  };
  EXPECT_TRUE(near(gradient(f32), gradient(f64), 1e-5));
}

TEST(GaussianWidth, NumberScalarAndPerFeatureAgree) {
  const Inputs x = inputs(4, 5);
  const Tensor number = weights_of(x, {.score = Gaussian{.bandwidth = 0.5}});
  EXPECT_TRUE(identical(number, weights_of(x, {.score = Gaussian{.bandwidth = tensor(0.5, f64)}})));
  EXPECT_TRUE(
      identical(number, weights_of(x, {.score = Gaussian{.bandwidth = tensor({0.5, 0.5, 0.5}, f64)}})));
  EXPECT_TRUE(identical(number, weights_of(x, {.score = Gaussian{.w = 2.0}})));
  EXPECT_TRUE(
      identical(weights_of(x, {.score = Gaussian{}}), weights_of(x, {.score = Gaussian{.bandwidth = 1.0}})));
  EXPECT_FALSE(
      all_close(number, weights_of(x, {.score = Gaussian{.bandwidth = tensor({0.5, 0.5, 5}, f64)}})));
}

TEST(GaussianWidth, InfiniteIsThePlainAverageWithAFiniteGradient) {
  const Inputs x = inputs(2, 4);
  const Tensor h = full({1}, kInf, f64).requires_grad_();
  const Tensor out = attend(x.q, x.k, x.v, {.score = Gaussian{.bandwidth = h}});
  EXPECT_TRUE(all_close(out, mean(x.v, 0, keepdims).expand({2, 2})));
  sum(out).backward();
  EXPECT_EQ(h.grad().item(), 0);
}

TEST(Gaussian, KeysInfinitelyFarAwayWeighNothing) {
  for (const std::int64_t Lq : {3, 20}) {  // few rows and tiles
    for (const std::int64_t far : {1, 6, 7, 200}) {
      const Inputs x = inputs(Lq, far + 300, 1, 1);
      x.k.slice(0, {.start = 0, .stop = far}).fill_(kInf);
      const Tensor k = x.k.slice(0, {.start = far}), v = x.v.slice(0, {.start = far});
      EXPECT_TRUE(
          all_close(attend(x.q, x.k, x.v, {.score = Gaussian{}}), attend(x.q, k, v, {.score = Gaussian{}})))
          << Lq << " rows, " << far << " keys far away";
    }
  }
}

TEST(GaussianWidth, LargeOffsetsDoNotCancel) {
  // Around 1e4, a tenth apart: |q|^2 - 2qk + |k|^2 in f32 would be off by more than the distances themselves.
  Generator g(3);
  const Tensor q = normal({5, 2}, {.mean = 1e4, .stddev = 0.1}, f32, g);
  const Tensor k = normal({7, 2}, {.mean = 1e4, .stddev = 0.1}, f32, g);
  const Tensor v = normal({7, 3}, {}, f32, g);
  for (const double h : {1.0, 0.3, 0.07}) {
    const Tensor exact = attend(q.to(f64), k.to(f64), v.to(f64), {.score = Gaussian{.bandwidth = h}});
    EXPECT_TRUE(all_close(attend(q, k, v, {.score = Gaussian{.bandwidth = h}}).to(f64), exact, {1e-5, 1e-6}))
        << h;
  }
}

TEST(Dropout, DropsScalesAndIsTheSameForwardAndBackward) {
  Generator g(9);
  const std::int64_t L = 200;
  const Tensor q = normal({L, 4}, {}, f64, g), k = normal({L, 4}, {}, f64, g);
  const Tensor v = eye(L, f64).requires_grad_();
  Generator draws(77);
  const AttendResult r = attend_with_weights(q, k, v, {.dropout = 0.25, .generator = &draws});
  const Tensor factor = r.output.detach() / r.weights();
  const double kept = 65536.0 / (65536.0 - 16384.0);
  EXPECT_TRUE(all_close(factor * (factor - kept), zeros({L, L}, f64), {.absolute = 1e-9}));
  EXPECT_NEAR(mean((factor > 0).to(f64)).item(), 0.75, 0.01);
  // d sum(out) / d v_j = sum_i dropped weight_ij
  sum(r.output).backward();
  EXPECT_TRUE(all_close(v.grad().select(1, 0), sum(r.output.detach(), 0)));
}

TEST(Dropout, EdgesAndSeeds) {
  const Inputs x = inputs(3, 5);
  EXPECT_TRUE(identical(attend(x.q, x.k, x.v, {.dropout = 1}), zeros({3, 2}, f64)));
  Generator one(1), same(1), other(2);
  const Tensor a = attend(x.q, x.k, x.v, {.dropout = 0.5, .generator = &one});
  EXPECT_TRUE(identical(a, attend(x.q, x.k, x.v, {.dropout = 0.5, .generator = &same})));
  EXPECT_FALSE(identical(a, attend(x.q, x.k, x.v, {.dropout = 0.5, .generator = &other})));
  EXPECT_FALSE(identical(a, attend(x.q, x.k, x.v, {.dropout = 0.5, .generator = &one})));
  seed(4);
  const Tensor b = attend(x.q, x.k, x.v, {.dropout = 0.5});
  seed(4);
  EXPECT_TRUE(identical(b, attend(x.q, x.k, x.v, {.dropout = 0.5})));
}

TEST(Softcap, BoundsTheScoresBeforeTheBias) {
  const Tensor q = tensor({{100.0}}, f64), k = tensor({{1.0}, {-1.0}}, f64), v = eye(2, f64);
  const Tensor bias = tensor({{0.0, 3.0}}, f64);
  const Tensor w = attend(q, k, v, {.score = Dot{}, .bias = bias, .softcap = 2.0});
  EXPECT_NEAR(w.at({0, 0}) / w.at({0, 1}), std::exp(2 - (-2 + 3)), 1e-9);
}

TEST(Softcap, IsTheBoundForScoresFarBeyondIt) {
  // Enough rows for tiles, and for few of them the other kernel.
  for (const std::int64_t rows : {1, 20}) {
    for (const Dtype dtype : {f32, f64}) {
      for (const double far : {40.0, 1e4, 1e20, 1e30}) {
        const Tensor q = full({rows, 1}, far, dtype).requires_grad_();
        const Tensor k = tensor({{1.0}, {-1.0}, {0.0}}, dtype), v = eye(3, dtype);
        const Tensor w = attend(q, k, v, {.score = Dot{}, .softcap = 2.0});
        w.backward(tensor({{1.0, 2.0, 3.0}}, dtype) + zeros({rows, 3}, dtype));
        for (std::int64_t i = 0; i < rows; ++i) {
          EXPECT_NEAR(w.at({i, 0}) / w.at({i, 2}), std::exp(2.0), 1e-5) << far;
          EXPECT_NEAR(w.at({i, 2}) / w.at({i, 1}), std::exp(2.0), 1e-5) << far;
          EXPECT_NEAR(q.grad().at({i, 0}), 0, 1e-6) << far;
        }
      }
    }
  }
}

TEST(Softcap, KeepsTheDigitsOfScoresFarBelowIt) {
  for (const std::int64_t rows : {1, 20}) {
    for (const Dtype dtype : {f32, f64}) {
      const Tensor q = ones({rows, 1}, dtype), k = tensor({{0.0}, {3.0}}, dtype), v = eye(2, dtype);
      for (const double cap : {5.0, 50.0, 1e4, 1e9, 1e29, 1e38, 1e300}) {
        const double expected = 1 / (1 + std::exp(cap * std::tanh(3 / cap)));
        const Tensor w = attend(q, k, v, {.score = Dot{}, .softcap = cap});
        EXPECT_NEAR(w.at({rows - 1, 0}) / expected, 1, dtype == f32 ? 3e-6 : 1e-14) << cap;
      }
      for (const double cap : {1e-20, 1e-40, 1e-300}) {
        const Tensor w = attend(q, k, v, {.score = Dot{}, .softcap = cap});
        EXPECT_EQ(w.at({rows - 1, 0}), 0.5) << cap;
      }
    }
  }
}

TEST(Softcap, OfNanIsNan) {
  const Tensor q = full({20, 2}, kNan, f32);
  EXPECT_TRUE(std::isnan(attend(q, ones({7, 2}, f32), ones({7, 2}, f32), {.softcap = 2.0}).at({3, 1})));
}

TEST(ZeroSizes, AreLegalEverywhere) {
  for (const std::int64_t zero : {0, 1, 2, 3, 4, 5}) {
    std::int64_t n[] = {2, 3, 4, 5, 3, 2};  // B, H, Lq, Lk, D, Dv
    n[zero] = 0;
    const Tensor q = ones({n[0], n[1], n[2], n[4]}).requires_grad_(),
                 k = ones({n[0], n[1], n[3], n[4]}).requires_grad_(),
                 v = ones({n[0], n[1], n[3], n[5]}).requires_grad_();
    for (const Score& score : {Score(ScaledDot{}), Score(Dot{}), Score(Gaussian{})}) {
      const AttendResult r = attend_with_weights(q, k, v, {.score = score});
      EXPECT_EQ(r.output.shape(), (Shape{n[0], n[1], n[2], n[5]}));
      EXPECT_EQ(r.weights().shape(), (Shape{n[0], n[1], n[2], n[3]}));
      r.output.backward(ones_like(r.output));
      EXPECT_EQ(q.grad().shape(), q.shape());
      EXPECT_EQ(k.grad().shape(), k.shape());
      EXPECT_EQ(v.grad().shape(), v.shape());
    }
  }
}

TEST(Inputs, AreNeverModified) {
  Generator g(6);
  for (const ScoreName score : kAllScores) {
    for (int n = 0; n < 20; ++n) {
      const AttentionProblem p = build(random_case(g, score), g);
      std::vector<Tensor> before;
      for (const Tensor& x : p.differentiable()) before.push_back(x.clone());
      for (const Tensor& x : p.differentiable()) x.requires_grad_();
      const Tensor out = p.attend();
      out.backward(ones_like(out));
      const std::vector<Tensor> after = p.differentiable();
      for (std::size_t m = 0; m < after.size(); ++m) ASSERT_TRUE(identical(after[m].detach(), before[m]));
    }
  }
}

TEST(Environment, RoundingModeAndFlagsToTrapAreLeftAlone) {
  const int rounding = std::fegetround();
  std::fenv_t before, after;
  std::fegetenv(&before);
  const Inputs x = inputs(4, 5);
  (void)attend(x.q, x.k, x.v);
  std::fegetenv(&after);
  EXPECT_EQ(std::fegetround(), rounding);
#if defined(__x86_64__)
  constexpr unsigned kControlBits = ~0x3Fu;  // the six lowest are the sticky exception flags
  EXPECT_EQ(before.__mxcsr & kControlBits, after.__mxcsr & kControlBits);
#endif
}

TEST(LogSumExp, CarriesAGradient) {
  // d lse / d bias_j = weight_j
  const Inputs x = inputs(2, 4);
  const Tensor bias = zeros({2, 4}, f64).requires_grad_();
  const AttendResult r = attend_with_weights(x.q, x.k, x.v, {.bias = bias});
  sum(r.log_sum_exp).backward();
  EXPECT_TRUE(all_close(bias.grad(), r.weights()));
}

TEST(WeightsOnDemand, SurviveAnOptimiserStepAndNoticeChangedInputs) {
  const Inputs x = inputs(2, 4);
  const Tensor w = ones({1}, f64).requires_grad_();
  const AttendResult r = attend_with_weights(x.q, x.k, x.v, {.score = Gaussian{.w = w}});
  const Tensor before = r.weights();
  no_grad([&] { w.fill_(3); });
  EXPECT_TRUE(identical(r.weights(), before));
  x.k.fill_(0);
  EXPECT_THROW(r.weights(), Error);
}

TEST(Attention, OfTheNotesReturnsOutputAndWeights) {
  const Inputs x = inputs(2, 3);
  const OutputAndWeights r = attention(x.q, x.k, x.v);
  EXPECT_TRUE(identical(r.output, attend(x.q, x.k, x.v)));
  EXPECT_TRUE(all_close(matmul(r.weights, x.v), r.output));
}

TEST(Semantics, ColumnsBesideAValueThatIsNotFiniteDoNotDependOnWhoAttendsToIt) {
  Generator g(96);
  for (const std::int64_t Dv : {2, 9}) {
    const Tensor q = normal({70, 8}, {}, f32, g), k = normal({300, 8}, {}, f32, g);
    Tensor v = normal({300, Dv}, {}, f32, g);
    v.mutable_data<float>()[250 * Dv] = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::int64_t> lengths(70, 300);
    const Tensor all = attend(q, k, v);
    lengths[7] = 200;
    const Tensor some = attend(q, k, v, {.mask = valid_lens(from_vector(lengths, {1, 70}))});
    for (const std::int64_t i : {0, 6, 8, 69}) {
      EXPECT_TRUE(same_bits(some.select(0, i), all.select(0, i))) << "Dv " << Dv << " row " << i;
    }
    EXPECT_FALSE(std::isnan(some.select(0, 7).select(0, 0).item()));
  }
}

}  // namespace
}  // namespace heed::test
