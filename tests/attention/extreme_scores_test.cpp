// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scores of every size, up to the end of the range: what is promised of weights, outputs and gradients of finite inputs, against
// scores in long double.
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace heed::test {
namespace {

using Wide = long double;

/// Scores in long double, from the numbers themselves.
struct WideScores {
  std::int64_t rows, keys;
  std::vector<Wide> score,
      terms;  ///< (rows, keys): beyond the type's range its largest number; sums of the terms' sizes

  Wide at(std::int64_t i, std::int64_t j) const { return score[static_cast<std::size_t>(i * keys + j)]; }
  Wide size_at(std::int64_t i, std::int64_t j) const { return terms[static_cast<std::size_t>(i * keys + j)]; }
};

struct Formula {
  std::string name;
  Score score;
  /// (sum of terms, sum of their sizes)
  std::function<std::pair<Wide, Wide>(const double* q, const double* k, std::int64_t D)> value;
};

std::pair<Wide, Wide> dot(const double* q, const double* k, std::int64_t D, Wide scale) {
  Wide sum = 0, size = 0;
  for (std::int64_t d = 0; d < D; ++d) {
    sum += scale * q[d] * k[d];
    size += std::abs(scale * q[d] * k[d]);
  }
  return {sum, size};
}

Formula dot_formula() {
  return {"Dot", Dot{}, [](const double* q, const double* k, std::int64_t D) { return dot(q, k, D, 1); }};
}
Formula scaled_formula(double scale) {
  return {"ScaledDot", ScaledDot{.scale = scale},
          [scale](const double* q, const double* k, std::int64_t D) { return dot(q, k, D, scale); }};
}
Formula gaussian_formula(double w) {
  return {"Gaussian", Gaussian{.w = w}, [w](const double* q, const double* k, std::int64_t D) {
            Wide sum = 0;
            for (std::int64_t d = 0; d < D; ++d) {
              const Wide u = static_cast<Wide>(w) * (static_cast<Wide>(q[d]) - k[d]);
              sum += u * u / 2;
            }
            return std::pair<Wide, Wide>{-sum, sum};
          }};
}
/// Two hidden features, the first two of queries and keys.
Formula additive_formula(double w, Dtype dtype) {
  return {"Additive", Additive{eye(2).to(dtype), eye(2).to(dtype), full({2}, w, dtype)},
          [w](const double* q, const double* k, std::int64_t) {
            Wide sum = 0, size = 0;
            for (int d = 0; d < 2; ++d) {
              const Wide term = static_cast<Wide>(w) * std::tanh(static_cast<Wide>(q[d]) + k[d]);
              sum += term;
              size += std::abs(term);
            }
            return std::pair<Wide, Wide>{sum, size};
          }};
}

WideScores wide_scores(const Formula& formula, const Tensor& q, const Tensor& k) {
  const Wide most = q.dtype() == f32 ? static_cast<Wide>(std::numeric_limits<float>::max())
                                     : static_cast<Wide>(std::numeric_limits<double>::max());
  const std::vector<double> x = q.to_vector(), y = k.to_vector();
  WideScores scores{q.size(0), k.size(0), {}, {}};
  for (std::int64_t i = 0; i < scores.rows; ++i) {
    for (std::int64_t j = 0; j < scores.keys; ++j) {
      const auto [sum, size] = formula.value(x.data() + i * q.size(1), y.data() + j * k.size(1), q.size(1));
      scores.score.push_back(std::clamp(sum, -most, most));
      scores.terms.push_back(std::min(size, most));
    }
  }
  return scores;
}

bool finite(const Tensor& x) {
  const std::vector<double> values = x.to_vector();
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}
bool no_nan(const Tensor& x) {
  const std::vector<double> values = x.to_vector();
  return std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
}

/// Weights add up to 1, and are below 1e-15 where the exact score lies more than 8 u A + 40 below its row's best.
testing::AssertionResult follow(const Tensor& weights, const WideScores& scores, const std::string& what) {
  const Wide u = weights.dtype() == f32 ? 0x1p-24L : 0x1p-53L;
  const std::vector<double> w = weights.to_vector();
  for (std::int64_t i = 0; i < scores.rows; ++i) {
    Wide best = scores.at(i, 0), A = 0, sum = 0;
    for (std::int64_t j = 0; j < scores.keys; ++j) {
      best = std::max(best, scores.at(i, j));
      A = std::max(A, scores.size_at(i, j));
    }
    for (std::int64_t j = 0; j < scores.keys; ++j) {
      const double weight = w[static_cast<std::size_t>(i * scores.keys + j)];
      sum += weight;
      if (!(weight >= 0 && weight <= 1.0001)) {
        return testing::AssertionFailure() << what << ": row " << i << ", key " << j << " weighs " << weight;
      }
      if (best - scores.at(i, j) > 8 * u * A + 40 && !(weight < 1e-15)) {
        return testing::AssertionFailure() << what << ": row " << i << ", key " << j << " weighs " << weight
                                           << ", its score is " << scores.at(i, j) << ", the best " << best;
      }
    }
    if (!(std::abs(sum - 1) < 1e-5L)) {
      return testing::AssertionFailure() << what << ": weights of row " << i << " add up to " << sum;
    }
  }
  return testing::AssertionSuccess();
}

struct Sizes {
  std::int64_t queries, keys, D;
};

class ExtremeScores : public testing::TestWithParam<Dtype> {
 protected:
  Dtype dtype() const { return GetParam(); }
  double most() const {
    return dtype() == f32 ? static_cast<double>(std::numeric_limits<float>::max())
                          : std::numeric_limits<double>::max();
  }
  int most_exponent() const { return dtype() == f32 ? 38 : 308; }

  /// Everything promised of finite queries and keys.
  void check(const Formula& formula, const Tensor& queries, const Tensor& keys, const std::string& how) {
    const std::string what = formula.name + ", " + how;
    const Tensor q = queries.clone().requires_grad_(), k = keys.clone().requires_grad_();
    Tensor v = random_in({-1, 1}, {keys.size(0), 3}, dtype(), 5);
    const WideScores scores = wide_scores(formula, queries, keys);
    // Weights as they are on demand, and as they are when values are pooled.
    const AttendResult result = attend_with_weights(q, k, v, {.score = formula.score});
    EXPECT_TRUE(follow(result.weights(), scores, what + ", on demand"));
    EXPECT_TRUE(finite(result.output)) << what;
    EXPECT_TRUE(finite(result.log_sum_exp)) << what;
    if (keys.size(0) < 400) {
      const Tensor pooled = attend(q, k, eye(keys.size(0)).to(dtype()), {.score = formula.score});
      EXPECT_TRUE(follow(pooled, scores, what + ", pooled"));
    }
    // One value feature takes a way of its own.
    const Tensor column = attend(q, k, ones({keys.size(0), 1}, dtype()), {.score = formula.score});
    EXPECT_TRUE(near(column, ones({queries.size(0), 1}, dtype()), 1e-5)) << what;
    sum(result.output).backward();
    EXPECT_TRUE(no_nan(q.grad()) && no_nan(k.grad())) << what;
  }

  /// Few rows and many, one key block and two; several chunks of keys where it is asked for.
  void check_sizes(const Formula& formula, double size, double spread, const std::string& how,
                   bool chunks = false) {
    std::vector<Sizes> sizes = {{3, 40, 2}, {20, 40, 2}, {12, 20, 64}, {9, 200, 3}};
    if (chunks) sizes.push_back({9, 2400, 2});
    for (const Sizes& s : sizes) {
      if (formula.name == "Additive" && s.D != 2) continue;
      const double apart = std::min(size * spread, most() / 8), at = std::min(size, most() / 2);
      const Tensor q = (random_normal({s.queries, s.D}, f64) * (apart / 4) + at).to(dtype());
      const Tensor k = (random_normal({s.keys, s.D}, f64, 2) * (apart / 4)).to(dtype());
      if (!finite(q) || !finite(k)) continue;
      check(formula, q, k,
            how + " " + std::to_string(size) + ", " + std::to_string(s.queries) + " x " +
                std::to_string(s.keys) + ", D " + std::to_string(s.D));
      if (HasFailure()) return;
    }
  }
};

TEST_P(ExtremeScores, GaussianFarFromAllKeys) {
  for (int e = 0; e <= most_exponent(); e += e < 12 ? 1 : e < 40 ? 4 : 45) {
    check_sizes(gaussian_formula(1), std::pow(10.0, e), std::min(1.0, std::pow(10.0, 1 - e)), "far",
                e % 6 == 0);
    if (HasFailure()) return;
  }
}

TEST_P(ExtremeScores, GaussianOfAnySpread) {
  for (int e = 0; e <= most_exponent(); e += e < 36 ? 3 : 33) {
    check_sizes(gaussian_formula(1), std::pow(10.0, e), 1, "spread", e % 9 == 0);
    if (HasFailure()) return;
  }
  check_sizes(gaussian_formula(1e10), 1e12, 1e-3, "narrow");
  check_sizes(gaussian_formula(dtype() == f32 ? 1e38 : 1e307), 1e3, 1, "narrowest");
  check_sizes(gaussian_formula(0), most() / 4, 1, "infinitely wide");
}

TEST_P(ExtremeScores, DotOfAnySize) {
  for (int e = 0; e <= most_exponent(); e += e < 36 ? 4 : 33) {
    check_sizes(dot_formula(), std::pow(10.0, e), 1, "size");
    check_sizes(scaled_formula(-0.5), std::pow(10.0, e), 1, "negative scale, size");
    if (HasFailure()) return;
  }
}

TEST_P(ExtremeScores, ScaleOfAnySize) {
  const double largest = dtype() == f32 ? 2.3e38 : 1.24e308;
  for (const double scale : {largest, -largest, largest * 1e-20, 0.0}) {
    for (const double size : {1e-20, 1.0, 1e5, 1e30}) {
      check_sizes(scaled_formula(scale), size, 1, "scale " + std::to_string(scale) + ", size");
      if (HasFailure()) return;
    }
  }
}

TEST_P(ExtremeScores, AdditiveOfAnySize) {
  for (const double w : {1.0, 1e10, most() / 3, -most()}) {
    for (const double size : {1.0, 1e3, 1e20, most() / 2}) {
      check_sizes(additive_formula(w, dtype()), size, 1, "weight " + std::to_string(w) + ", size");
      if (HasFailure()) return;
    }
  }
}

TEST_P(ExtremeScores, OfLanesBeyondTheRowsDoNotShow) {
  // A query of zeros, as fills up a block, scores 200 here.
  const Tensor q = full({1, 2}, -50.0, dtype()), k = full({12, 2}, 50.0, dtype());
  for (const std::int64_t columns : {1, 3, 20}) {
    const Tensor v = random_normal({12, columns}, dtype()).requires_grad_();
    const Additive score{eye(2).to(dtype()), eye(2).to(dtype()),
                         full({2}, dtype() == f32 ? 100.0 : 1e3, dtype())};
    sum(attend(q, k, v, {.score = score})).backward();
    EXPECT_TRUE(near(v.grad(), full({12, columns}, 1.0 / 12, dtype()), 1e-6)) << columns;
  }
}

TEST_P(ExtremeScores, AdditiveBeyondTheRangeOnTheWay) {
  // Projections of finite rows that are not: of one sign, of both in one sum, of both in one score.
  const Tensor W = full({3, 4}, most() / 2, dtype());
  Tensor q = full({20, 4}, 3.0, dtype());
  q[1].fill_(-3.0);
  q[2][0].fill_(-9.0);
  const Tensor x = q.requires_grad_(), v = random_normal({20, 2}, dtype());
  const AttendResult result =
      attend_with_weights(x, x, v, {.score = Additive{W.clone().requires_grad_(), W, ones({3}, dtype())}});
  EXPECT_TRUE(finite(result.output));
  EXPECT_TRUE(near(sum(result.weights(), 1), ones({20}, dtype()), 1e-5));
  sum(result.output).backward();
  EXPECT_TRUE(no_nan(x.grad()));
}

TEST_P(ExtremeScores, OneScoreThatOverflowsAmongOthers) {
  // The sum's first terms overflow; the score itself does not.
  const double big = std::sqrt(most()) * 0.9;
  for (const std::int64_t queries : {2, 20}) {
    const Tensor q = full({queries, 4}, big, dtype());
    Tensor k = zeros({30, 4}, dtype());
    k.fill_(-0.5 * big);
    const double row[] = {-big, -big, big, big};
    for (std::int64_t d = 0; d < 4; ++d) k[7][d].fill_(row[d]);
    check(dot_formula(), q, k, "terms that overflow and cancel");
  }
}

TEST_P(ExtremeScores, BeyondTheRangeCountAsTheLargestNumber) {
  const double far = dtype() == f32 ? 1e20 : 1e160;
  for (const std::int64_t queries : {1, 20}) {
    const Tensor q = full({queries, 2}, far, dtype()), k = full({5, 2}, -far, dtype()),
                 v = arange(5, dtype()).reshape({5, 1});
    for (const Score& score : {Score(Dot{}), Score(Gaussian{}), Score(ScaledDot{.scale = -1.0})}) {
      const AttendResult result = attend_with_weights(q, k, v, {.score = score});
      EXPECT_TRUE(near(result.output, full({queries, 1}, 2.0, dtype()), 1e-6));
      EXPECT_TRUE(near(result.weights(), full({queries, 5}, 0.2, dtype()), 1e-6));
      EXPECT_EQ(std::abs(result.log_sum_exp.to_vector()[0]), most());
    }
    // A bias still tells them apart, and a mask leaves out what it leaves out.
    const Tensor bias = tensor({{0., 0., 3e37, 0., 0.}}).to(dtype());
    EXPECT_TRUE(
        near(attend(q, k, v, {.score = Dot{}, .bias = bias}), full({queries, 1}, 2.0, dtype()), 1e-6));
    EXPECT_TRUE(near(attend(q, k, v, {.score = Dot{}, .mask = valid_lens(full({1}, 3, i64))}),
                     full({queries, 1}, 1.0, dtype()), 1e-6));
  }
}

TEST_P(ExtremeScores, EmptyRowsAreThoseWithoutPairsAndNoOthers) {
  const double far = dtype() == f32 ? 1e30 : 1e200;
  for (const std::int64_t queries : {4, 20}) {
    const Tensor q = full({queries, 2}, far, dtype()), k = full({5, 2}, -far, dtype()),
                 v = ones({5, 2}, dtype());
    Tensor open = ones({queries, 5}, boolean);
    open.slice(0, {1, 3}).fill_(0);
    const Tensor bias = where(open, zeros({}, dtype()), full({}, -kInf, dtype()));
    Tensor expected = ones({queries, 2}, dtype());
    expected.slice(0, {1, 3}).fill_(0.0);
    for (const AttendOptions& options :
         {AttendOptions{.score = Dot{}, .mask = mask(open)}, AttendOptions{.score = Dot{}, .bias = bias},
          AttendOptions{.score = Gaussian{}, .mask = mask(open)}}) {
      EXPECT_TRUE(near(attend(q, k, v, options), expected, 1e-6));
    }
  }
  EXPECT_TRUE(near(attend(ones({9, 2}, dtype()), ones({0, 2}, dtype()), ones({0, 2}, dtype())),
                   zeros({9, 2}, dtype())));
}

TEST_P(ExtremeScores, OfInfiniteQueriesAndKeysAreNeverTakenForMasked) {
  for (const std::int64_t queries : {2, 20}) {
    const Tensor v = ones({5, 2}, dtype());
    const Tensor infinite = full({queries, 1}, kInf, dtype()), finite_q = ones({queries, 1}, dtype());
    const Tensor k = ones({5, 1}, dtype()), far = full({5, 1}, -kInf, dtype());
    for (const Score& score : {Score(Dot{}), Score(ScaledDot{.scale = -2.0}), Score(Gaussian{})}) {
      for (const Tensor& out :
           {attend(infinite, k, v, {.score = score}), attend(finite_q, far, v, {.score = score})}) {
        for (const double x : out.to_vector()) EXPECT_NE(x, 0);
      }
      const AttendResult result = attend_with_weights(finite_q, far, v, {.score = score});
      for (const double w : result.weights().to_vector()) EXPECT_NE(w, 0);
    }
    // Arithmetic alone: a score of -inf beside others weighs nothing.
    Tensor one_far = ones({5, 1}, dtype());
    one_far[4].fill_(-kInf);
    EXPECT_TRUE(near(attend(finite_q, one_far, arange(5, dtype()).reshape({5, 1}), {.score = Dot{}}),
                     full({queries, 1}, 1.5, dtype()), 1e-6));
  }
}

TEST_P(ExtremeScores, OfOneRowChangeNoOther) {
  for (const Score& score : {Score(Dot{}), Score(Gaussian{})}) {
    const auto gradients = [&](const Tensor& queries) {
      const Tensor q = queries.clone().requires_grad_(),
                   k = random_normal({200, 4}, dtype(), 2).requires_grad_();
      const Tensor out = attend(q, k, random_normal({200, 4}, dtype(), 3), {.score = score});
      sum(out * out).backward();
      return std::pair{out.detach(), q.grad()};
    };
    Tensor q = random_normal({40, 4}, dtype());
    const auto before = gradients(q);
    q[3].fill_(most() / 2);
    const auto after = gradients(q);
    EXPECT_TRUE(same_bits(after.first.slice(0, {4, 40}), before.first.slice(0, {4, 40})));
    EXPECT_TRUE(same_bits(after.second.slice(0, {4, 40}), before.second.slice(0, {4, 40})));
    EXPECT_TRUE(no_nan(after.second));
  }
}

TEST_P(ExtremeScores, HaveTheGradientsOfThoseInRange) {
  // A query row beyond the range beside others; what the others have a part in stays right. Compared with the call without it.
  const Tensor k = random_normal({30, 4}, dtype(), 2), v = random_normal({30, 3}, dtype(), 3);
  Tensor q = random_normal({20, 4}, dtype());
  const auto grads = [&](const Tensor& queries) {
    const Tensor x = k.clone().requires_grad_(), y = v.clone().requires_grad_();
    const Tensor bias = zeros({queries.size(0), 30}, dtype()).requires_grad_();
    sum(attend(queries, x, y, {.score = Dot{}, .bias = bias}).slice(0, {1, queries.size(0)})).backward();
    return std::vector{x.grad(), y.grad(), bias.grad().slice(0, {1, queries.size(0)})};
  };
  const auto expected = grads(q);
  q[0].fill_(most() / 2);
  const auto found = grads(q);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_TRUE(near(found[n], expected[n], dtype() == f32 ? 1e-5 : 1e-12));
}

TEST_P(ExtremeScores, HugeValuesAndGradientsGiveNoNan) {
  for (const std::int64_t queries : {3, 40}) {
    const Tensor q = random_normal({queries, 4}, dtype()).requires_grad_(),
                 k = random_normal({50, 4}, dtype(), 2).requires_grad_();
    const Tensor v = (random_normal({50, 6}, f64, 3) * (most() / 8)).to(dtype()).requires_grad_();
    const Tensor bias = zeros({queries, 50}, dtype()).requires_grad_();
    const Tensor out = attend(q, k, v, {.score = Gaussian{.bandwidth = 0.7}, .bias = bias});
    EXPECT_TRUE(finite(out));
    sum(out * 1e10).backward();
    for (const Tensor& x : {q, k, v, bias}) EXPECT_TRUE(no_nan(x.grad()));
  }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, ExtremeScores, testing::Values(f32, f64),
                         [](const auto& dtype) { return std::string(name(dtype.param)); });

}  // namespace
}  // namespace heed::test
