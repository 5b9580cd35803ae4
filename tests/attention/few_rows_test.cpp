// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Few query rows go by a kernel of their own (decode): the same meaning, other bits.
#include "support/attention_cases.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed::test {
namespace {

struct Heads {
  std::int64_t query, key_value;
};

Tensor dense(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& lengths) {
  const std::int64_t group = q.size(1) / k.size(1);
  const Tensor keys = repeat_interleave(k, group, 1), values = repeat_interleave(v, group, 1);
  const Tensor scores = matmul(q, keys.transpose(2, 3)) * (1 / std::sqrt(static_cast<double>(q.size(3))));
  const Tensor positions = arange(k.size(2), i64).reshape({1, 1, 1, k.size(2)});
  const Tensor takes_part = positions < lengths.reshape({q.size(0), 1, 1, 1});
  const Tensor weights = softmax(where(takes_part, scores, full({}, -kInf, f64)), -1);
  return matmul(where(takes_part, weights, full({}, 0.0, f64)), values);
}

TEST(FewRows, MatchTheDefinition) {
  Generator g(81);
  for (const Dtype dtype : {f32, f64}) {
    for (const Heads heads : {Heads{1, 1}, Heads{8, 2}, Heads{8, 1}, Heads{3, 3}}) {
      for (const std::int64_t Lq : {1, 2}) {
        if (Lq * heads.query / heads.key_value > 8) continue;
        for (const std::int64_t Lk : {1, 5, 63, 64, 65, 200, 5000}) {
          for (const std::int64_t D : {1, 16, 37, 128}) {
            SCOPED_TRACE(testing::Message() << heads.query << '/' << heads.key_value << " Lq " << Lq << " Lk "
                                            << Lk << " D " << D);
            const Tensor q = normal({2, heads.query, Lq, D}, {}, dtype, g),
                         k = normal({2, heads.key_value, Lk, D}, {}, dtype, g),
                         v = normal({2, heads.key_value, Lk, 9}, {}, dtype, g);
            const Tensor lengths = tensor({Lk, Lk / 2}, i64);
            const Tensor expected = dense(q.to(f64), k.to(f64), v.to(f64), lengths);
            const Tensor found = attend(q, k, v, {.mask = valid_lens(lengths)});
            EXPECT_TRUE(near(found.to(f64), expected, dtype == f32 ? 5e-6 : 1e-12));
          }
        }
      }
    }
  }
}

/// Values are pooled in bands of features for one, two and four rows at a time, and what is left over.
TEST(FewRows, ValuesMayHaveAnyWidth) {
  Generator g(89);
  for (const Dtype dtype : {f32, f64}) {
    for (const Heads heads : {Heads{1, 1}, Heads{3, 1}, Heads{4, 1}, Heads{14, 2}, Heads{8, 1}}) {
      for (const std::int64_t Lk : {3, 700}) {
        for (const std::int64_t Dv : {16, 64, 137, 256}) {
          SCOPED_TRACE(testing::Message()
                       << heads.query << '/' << heads.key_value << " Lk " << Lk << " Dv " << Dv);
          const Tensor q = normal({1, heads.query, 1, 8}, {}, dtype, g),
                       k = normal({1, heads.key_value, Lk, 8}, {}, dtype, g),
                       v = normal({1, heads.key_value, Lk, Dv}, {}, dtype, g);
          const Tensor expected = dense(q.to(f64), k.to(f64), v.to(f64), tensor({Lk}, i64));
          const Tensor found = attend(q, k, v);
          EXPECT_TRUE(near(found.to(f64), expected, dtype == f32 ? 5e-6 : 1e-12));
        }
      }
    }
  }
}

TEST(FewRows, LargeScoresAndCausalRowsAreExact) {
  Generator g(82);
  const Tensor q = normal({1, 1, 3, 8}, {.stddev = 40}, f64, g),
               k = normal({1, 1, 3000, 8}, {.stddev = 40}, f64, g), v = normal({1, 1, 3000, 5}, {}, f64, g);
  for (const Align align : {Align::kTopLeft, Align::kBottomRight}) {
    const Tensor i = arange(3, i64).unsqueeze(1), j = arange(3000, i64).unsqueeze(0);
    const Tensor allowed = align == Align::kTopLeft ? j <= i : j <= i + 2997;
    const Tensor scores =
        where(allowed, matmul(q, k.transpose(2, 3)) * (1 / std::sqrt(8.0)), full({}, -kInf, f64));
    for (const Mask& band : {causal(align), mask(allowed)}) {
      const AttendResult found = attend_with_weights(q, k, v, {.mask = band});
      EXPECT_TRUE(near(found.output, matmul(softmax(scores, -1), v), 1e-12));
      EXPECT_TRUE(near(found.log_sum_exp, logsumexp(scores, -1), 1e-12));
    }
  }
}

/// Bias, masks, softcap and dropout, alone and together, over one run of keys and several, forward and backward.
TEST(FewRows, EveryOptionMatchesTheDefinition) {
  Generator g(90);
  for (const ScoreName score : {ScoreName::kScaledDot, ScoreName::kDot, ScoreName::kGaussian}) {
    for (const std::int64_t Lk : {1, 7, 64, 128, 129, 300, 1100}) {
      for (const Heads heads : {Heads{1, 1}, Heads{8, 1}, Heads{4, 2}, Heads{6, 2}}) {
        for (const std::int64_t Dv : {1, 4, 9, 20}) {
          AttentionCase c = random_case(g, score);
          c.rank = 4;
          c.B = 2;
          c.H = heads.query;
          c.Hkv = heads.key_value;
          c.Lq = 8 / (heads.query / heads.key_value);
          c.Lk = Lk;
          c.D = c.Dk = random_int(g, 1, 40);
          c.Dv = Dv;
          c.dtype = f64;
          SCOPED_TRACE(c.describe());
          const AttentionProblem p = build(c, g);
          ASSERT_EQ(explain(p.queries, p.keys, p.values, p.options).kernel, "few rows");
          const std::vector<Tensor> leaves = p.differentiable();
          for (const Tensor& leaf : leaves) leaf.requires_grad_();
          const Tensor found = p.attend(), expected = composition(p);
          ASSERT_TRUE(near(found, expected, 1e-11));
          const Tensor seed = normal(found.shape(), {}, f64, g);
          std::vector<Tensor> gradients[2];
          for (const int n : {0, 1}) {
            for (const Tensor& leaf : leaves) leaf.set_grad({});
            (n == 0 ? found : expected).backward(seed);
            for (const Tensor& leaf : leaves) gradients[n].push_back(leaf.grad());
          }
          for (std::size_t n = 0; n < leaves.size(); ++n)
            ASSERT_TRUE(near(gradients[0][n], gradients[1][n], 1e-10)) << n;
        }
      }
    }
  }
}

TEST(FewRows, KeepThePromisesAboutNanMasksAndEmptyRows) {
  Generator g(83);
  const Tensor q = normal({2, 4, 1, 8}, {}, f32, g), k = normal({2, 1, 300, 8}, {}, f32, g),
               v = normal({2, 1, 300, 5}, {}, f32, g);
  const Tensor lengths = tensor({200, 0}, i64);
  const Tensor clean = attend(q, k, v, {.mask = valid_lens(lengths)});
  EXPECT_TRUE(identical(clean.select(0, 1), zeros({4, 1, 5}, f32)));
  const Tensor bad_k = k.clone(), bad_v = v.clone();
  bad_k.slice(2, {.start = 200}).fill_(kNan);
  bad_v.slice(2, {.start = 200}).fill_(kInf);
  EXPECT_TRUE(identical(attend(q, bad_k, bad_v, {.mask = valid_lens(lengths)}), clean));
  const Tensor nan_k = k.clone();
  nan_k.select(2, 77).fill_(kNan);
  const Tensor spoiled = attend(q, nan_k, v, {.mask = valid_lens(lengths)});
  EXPECT_TRUE(near(spoiled.select(0, 0).to(f64), full({4, 1, 5}, kNan, f64)));
  EXPECT_TRUE(identical(spoiled.select(0, 1), clean.select(0, 1)));
}

/// softmax of -1/2 sum (w (k - q))^2, by broadcasting.
Tensor gaussian(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& w,
                const Tensor& takes_part) {
  const Tensor difference = (k.unsqueeze(1) - q.unsqueeze(2)) * w;
  const Tensor scores = sum(difference * difference, {-1}) * -0.5;
  return matmul(softmax(where(takes_part, scores, full({}, -kInf, f64)), -1), v);
}

struct GaussianProblem {
  Tensor q, k, v, w, lengths;

  GaussianProblem(std::int64_t Lq, std::int64_t Lk, std::int64_t D, std::int64_t Dv, Generator& g)
      : q(normal({2, Lq, D}, {}, f64, g)),
        k(normal({2, Lk, D}, {}, f64, g)),
        v(normal({2, Lk, Dv}, {}, f64, g)),
        w(rand({D}, f64, g) + 0.5),
        lengths(tensor({Lk, (Lk + 1) / 2}, i64)) {
    for (const Tensor& x : {q, k, v, w}) x.requires_grad_();
  }
  Tensor takes_part() const {
    return arange(k.size(1), i64).reshape({1, 1, k.size(1)}) < lengths.reshape({2, 1, 1});
  }
  Tensor attend() const {
    return heed::attend(q, k, v, {.score = Gaussian{.w = w}, .mask = valid_lens(lengths)});
  }
  std::vector<Tensor> gradients(const Tensor& out, const Tensor& seed) const {
    for (const Tensor& x : {q, k, v, w}) x.set_grad({});
    out.backward(seed);
    return {q.grad(), k.grad(), v.grad(), w.grad()};
  }
};

TEST(FewRows, GaussianScoresAndTheirGradientsMatchTheDefinition) {
  Generator g(84);
  for (const std::int64_t Lq : {1, 3, 8}) {
    for (const std::int64_t Lk : {1, 5, 63, 64, 65, 129, 2500}) {
      for (const std::int64_t D : {1, 3, 20}) {
        for (const std::int64_t Dv : {1, 4, 9}) {
          SCOPED_TRACE(testing::Message() << "Lq " << Lq << " Lk " << Lk << " D " << D << " Dv " << Dv);
          const GaussianProblem p(Lq, Lk, D, Dv, g);
          ASSERT_EQ(explain(p.q, p.k, p.v, {.score = Gaussian{.w = p.w}}).kernel, "few rows");
          const Tensor found = p.attend(), expected = gaussian(p.q, p.k, p.v, p.w, p.takes_part());
          ASSERT_TRUE(near(found, expected, 1e-12));
          const Tensor seed = normal(found.shape(), {}, f64, g);
          const std::vector<Tensor> a = p.gradients(found, seed), b = p.gradients(expected, seed);
          for (std::size_t n = 0; n < a.size(); ++n) ASSERT_TRUE(near(a[n], b[n], 1e-11)) << n;
        }
      }
    }
  }
}

TEST(FewRows, WeightsOfAGaussianFarFromAllKeysSumToOneInTheBackward) {
  // A log-sum-exp of some -5000 has three digits behind the point in f32: weights from it would not.
  Generator g(85);
  for (const double x : {99.0, 100.0, 101.0, 150.0}) {
    const Tensor q = full({1, 1, 1}, x, f32), k = linspace(0, 0.63, 64, f32).reshape({1, 64, 1}),
                 v = normal({1, 64, 1}, {}, f32, g);
    v.requires_grad_();
    attend(q, k, v, {.score = Gaussian{}}).backward(ones({1, 1, 1}, f32));
    EXPECT_NEAR(sum(v.grad()).item(), 1, 1e-6);
  }
}

TEST(FewRows, WeightsOfLargeDotProductsSumToOneInTheBackward) {
  Generator g(91);
  for (const std::int64_t Lk : {64, 1100}) {
    for (const double x : {70.0, -70.0, 300.0}) {
      // Scores from x^2 on, all close together: as above, the log-sum-exp has too few digits behind the point.
      const Tensor q = full({1, 2, 1}, x, f32), v = normal({1, Lk, 3}, {}, f32, g);
      const Tensor k = (linspace(0, 0.01, Lk, f32) + x).reshape({1, Lk, 1});
      v.requires_grad_();
      attend(q, k, v, {.score = Dot{}, .softcap = 1e7}).backward(ones({1, 2, 3}, f32));
      EXPECT_NEAR(sum(v.grad()).item(), 6, 6e-6);
    }
  }
}

TEST(FewRows, GaussianMaskedSlotsAreNeverLookedAt) {
  Generator g(86);
  const GaussianProblem p(2, 70, 3, 2, g);
  GaussianProblem bad = p;
  bad.k = p.k.detach().clone();
  bad.v = p.v.detach().clone();
  for (const Tensor& x : {bad.k, bad.v}) x.select(0, 1).slice(0, {.start = 35}).fill_(kNan);
  for (const Tensor& x : {bad.k, bad.v}) x.requires_grad_();
  const Tensor out = p.attend(), spoiled = bad.attend();
  EXPECT_TRUE(identical(out, spoiled));
  const Tensor seed = normal(out.shape(), {}, f64, g);
  const std::vector<Tensor> clean = p.gradients(out, seed), found = bad.gradients(spoiled, seed);
  for (std::size_t n = 0; n < clean.size(); ++n) EXPECT_TRUE(identical(found[n], clean[n])) << n;
}

TEST(FewRows, ARowsBitsDoNotDependOnWhatTheOthersAttendTo) {
  Generator g(87);
  for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{})}) {
    for (const std::int64_t Dv : {1, 7}) {
      const Tensor q = normal({1, 3, 5}, {}, f32, g), k = normal({1, 700, 5}, {}, f32, g),
                   v = normal({1, 700, Dv}, {}, f32, g);
      const auto row = [&](std::int64_t others) {
        const Tensor lengths = tensor({{others, std::int64_t{613}, others}}, i64);
        return attend(q, k, v, {.score = score, .mask = valid_lens(lengths)}).select(1, 1);
      };
      for (const std::int64_t others : {0, 1, 130, 640, 700}) EXPECT_TRUE(identical(row(others), row(613)));
    }
  }
}

TEST(FewRows, ARowsBitsAndGradientDoNotDependOnWhatTheOthersMask) {
  Generator g(92);
  for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{})}) {
    for (const std::int64_t Dv : {1, 7, 20}) {
      const Tensor q = normal({1, 5, 5}, {}, f32, g), k = normal({1, 700, 5}, {}, f32, g),
                   v = normal({1, 700, Dv}, {}, f32, g), own = rand({1, 1, 700}, f32, g) < 0.7;
      const auto row = [&](double density) {
        const Tensor others = rand({1, 5, 700}, f32, g) < density;
        const Tensor middle = (arange(5, i64) == 2).reshape({1, 5, 1});
        const Tensor x = q.clone();
        x.requires_grad_();
        const Tensor out = attend(x, k, v, {.score = score, .mask = mask(where(middle, own, others))});
        out.backward(ones(out.shape(), f32));
        return stack({sum(out.detach().select(1, 2), {-1}), sum(x.grad().select(1, 2), {-1})});
      };
      const Tensor alone = row(0);
      for (const double density : {0.01, 0.5, 0.99, 1.0}) EXPECT_TRUE(identical(row(density), alone));
    }
  }
}

/// A key that one row may not look at, and another does.
TEST(FewRows, NanReachesWhoAttendsToItAndNobodyElse) {
  Generator g(93);
  constexpr std::int64_t kBad = 200;
  for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{})}) {
    for (const std::int64_t Dv : {2, 20}) {
      const Tensor q = normal({1, 3, 5}, {}, f64, g), k = normal({1, 300, 5}, {}, f64, g),
                   v = normal({1, 300, Dv}, {}, f64, g);
      // The first row sees everything, the second all but one key, the third the first hundred.
      const Tensor j = arange(300, i64);
      const Tensor allowed = stack({j >= 0, j != kBad, j < 100});
      const auto run = [&](bool bad_key, bool bad_value) {
        const std::vector<Tensor> leaves = {q.clone(), k.clone(), v.clone()};
        if (bad_key) leaves[1].select(1, kBad).fill_(kNan);
        if (bad_value) leaves[2].select(1, kBad).fill_(kNan);
        for (const Tensor& leaf : leaves) leaf.requires_grad_();
        const Tensor out = attend(leaves[0], leaves[1], leaves[2], {.score = score, .mask = mask(allowed)});
        out.backward(ones(out.shape(), f64));
        return std::vector<Tensor>{out.detach(), leaves[0].grad(), leaves[1].grad()};
      };
      const std::vector<Tensor> clean = run(false, false);
      for (const int bad : {1, 2, 3}) {
        const std::vector<Tensor> found = run(bad % 2 == 1, bad / 2 == 1);
        for (const std::size_t n : {0U, 1U}) {
          const Slice others{.start = 1};
          EXPECT_TRUE(identical(found[n].slice(1, others), clean[n].slice(1, others))) << bad << ' ' << n;
          EXPECT_TRUE(std::isnan(sum(found[n].select(1, 0)).item())) << bad << ' ' << n;
        }
      }
    }
  }
}

/// A query that is NaN, or a row whose scores are all -inf: nothing of it may reach keys it does not attend to.
TEST(FewRows, ARowThatIsNotANumberSpoilsOnlyWhatItAttendsTo) {
  Generator g(94);
  const Tensor k = normal({1, 300, 5}, {}, f64, g), v = normal({1, 300, 7}, {}, f64, g);
  for (const std::int64_t Lq : {3, 12}) {  // few rows and tiles
    const Tensor q = normal({1, Lq, 5}, {}, f64, g), i = arange(Lq, i64).unsqueeze(1), j = arange(300, i64);
    const Tensor allowed = logical_or(i != 2, (j < 100).unsqueeze(0));
    const auto run = [&](double third) {
      const std::vector<Tensor> leaves = {q.clone(), k.clone(), v.clone()};
      leaves[0].select(1, 2).fill_(third);
      for (const Tensor& leaf : leaves) leaf.requires_grad_();
      const Tensor out = attend(leaves[0], leaves[1], leaves[2], {.mask = mask(allowed)});
      out.backward(ones(out.shape(), f64));
      return std::vector<Tensor>{leaves[0].grad(), leaves[1].grad(), leaves[2].grad()};
    };
    const std::vector<Tensor> clean = run(1), spoiled = run(kNan);
    for (const Slice others : {Slice{.stop = 2}, Slice{.start = 3}})
      EXPECT_TRUE(identical(spoiled[0].slice(1, others), clean[0].slice(1, others)));
    for (const std::size_t n : {1U, 2U}) {
      EXPECT_TRUE(identical(spoiled[n].slice(1, {.start = 100}), clean[n].slice(1, {.start = 100}))) << n;
      EXPECT_TRUE(std::isnan(sum(spoiled[n].slice(1, {.stop = 100})).item())) << n;
    }
  }
  // Keys infinitely far away are no masked ones: alone with them a row has weights that are not numbers.
  const Tensor one = ones({1, 1, 5}, f64), far = full({1, 20, 5}, -kInf, f64),
               values = v.slice(1, {.stop = 20}).clone();
  values.requires_grad_();
  attend(one, far, values).backward(ones({1, 1, 7}, f64));
  for (const double x : values.grad().to_vector()) EXPECT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace heed::test
