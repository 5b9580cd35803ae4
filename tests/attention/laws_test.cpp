// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Laws that hold whatever the numbers: cheap, and they catch what really breaks.
#include "kernels/cpu/attention/workspace.h"
#include "support/attention_cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace heed::test {
namespace {

constexpr Closeness kClose{.relative = 1e-9, .absolute = 1e-10};
constexpr double kInf = std::numeric_limits<double>::infinity();

/// body(case, problem, generator) for many random problems of one score, every few of them a long one.
using Body = std::function<void(const AttentionCase&, AttentionProblem&, Generator&)>;
void for_random_problems(ScoreName score, std::uint64_t seed,
                         const std::function<void(AttentionCase&)>& shape_it, const Body& body,
                         int long_every = 10) {
  Generator g(seed);
  for (int n = 0; n < 80; ++n) {
    AttentionCase c = n % long_every == 0 ? random_long_case(g, score) : random_case(g, score);
    shape_it(c);
    SCOPED_TRACE(c.describe());
    AttentionProblem p = build(c, g);
    body(c, p, g);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void no_change(AttentionCase&) {}
void no_dropout(AttentionCase& c) { c.dropout = 0; }

/// Attention without structured masks: everything is in takes_part, so that keys can be moved about.
AttendOptions with_dense_mask(const AttentionProblem& p, const Tensor& takes_part, const Tensor& bias) {
  AttendOptions options = p.options;
  options.mask = mask(takes_part);
  options.bias = bias;
  options.dropout = 0;
  return options;
}

Tensor zero_where_masked(const AttentionProblem& p) {
  return p.options.bias.defined() ? p.options.bias.expand(p.takes_part.shape())
                                  : zeros(p.takes_part.shape(), f64);
}

std::vector<std::int64_t> random_order(std::int64_t n, Generator& g) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::int64_t i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random_int(g, 0, i))]);
  }
  return order;
}

/// x with the positions of `dim` reordered.
Tensor reorder(const Tensor& x, std::int64_t dim, const std::vector<std::int64_t>& order) {
  std::vector<Tensor> parts;
  parts.reserve(order.size());
  for (std::int64_t i : order) parts.push_back(x.slice(dim, {.start = i, .stop = i + 1}));
  return parts.empty() ? x : cat(std::span<const Tensor>(parts), dim);
}

class Laws : public testing::TestWithParam<ScoreName> {};

TEST_P(Laws, PermutingTheKeysChangesNothing) {
  for_random_problems(
      GetParam(), 21, no_dropout, [](const AttentionCase& c, AttentionProblem& p, Generator& g) {
        const auto order = random_order(c.Lk, g);
        const Tensor bias = zero_where_masked(p);
        const Tensor moved =
            attend(p.queries, reorder(p.keys, -2, order), reorder(p.values, -2, order),
                   with_dense_mask(p, reorder(p.takes_part, -1, order), reorder(bias, -1, order)));
        ASSERT_TRUE(all_close(moved, p.attend(), kClose));
      });
}

TEST_P(Laws, ShiftingAllScoresChangesNothing) {
  for_random_problems(GetParam(), 22, no_change, [](const AttentionCase&, AttentionProblem& p, Generator&) {
    const AttendResult before = p.attend_with_weights();
    p.options.bias = zero_where_masked(p) + 37.5;
    const AttendResult after = p.attend_with_weights();
    ASSERT_TRUE(all_close(after.output, before.output, kClose));
    ASSERT_TRUE(all_close(after.log_sum_exp, before.log_sum_exp + 37.5, kClose));
  });
}

TEST_P(Laws, AKeyTwiceAtHalfTheWeightIsTheKeyOnce) {
  for_random_problems(
      GetParam(), 23, no_dropout, [](const AttentionCase& c, AttentionProblem& p, Generator& g) {
        if (c.Lk == 0) return;
        const std::int64_t j = random_int(g, 0, c.Lk - 1);
        const auto doubled = [&](const Tensor& x, std::int64_t dim) {
          return cat({x, x.slice(dim, {.start = j, .stop = j + 1})}, dim);
        };
        const Tensor halved = zero_where_masked(p).clone();
        halved.select(-1, j).add_(full({}, std::log(0.5), f64));
        const Tensor twice = attend(p.queries, doubled(p.keys, -2), doubled(p.values, -2),
                                    with_dense_mask(p, doubled(p.takes_part, -1), doubled(halved, -1)));
        ASSERT_TRUE(all_close(twice, p.attend(), kClose));
      });
}

TEST_P(Laws, ValuesOfOneGiveOne) {
  for_random_problems(
      GetParam(), 24, no_dropout, [](const AttentionCase& c, AttentionProblem& p, Generator&) {
        if (c.Lk == 0 || c.Dv == 0) return;
        p.values = ones_like(p.values);
        const Tensor expected = (max(p.takes_part.to(f64), -1, keepdims)).expand(p.attend().shape());
        ASSERT_TRUE(all_close(p.attend(), expected, kClose));
      });
}

TEST_P(Laws, ValuesOfIdentityGiveTheWeights) {
  const auto values_as_many_as_keys = [](AttentionCase& c) { c.Lk = std::min<std::int64_t>(c.Lk, 193); };
  for_random_problems(GetParam(), 25, values_as_many_as_keys,
                      [](const AttentionCase& c, AttentionProblem& p, Generator&) {
                        Shape identity = p.values.shape();
                        identity[identity.rank() - 1] = c.Lk;
                        p.values = eye(c.Lk, f64).expand(identity);
                        Tensor weights = p.attend_with_weights().weights();
                        if (p.dropout_factors.defined()) weights = weights * p.dropout_factors;
                        ASSERT_TRUE(all_close(p.attend(), weights, kClose));
                      });
}

TEST_P(Laws, SplittingTheKeysAndMergingIsTheWhole) {
  for_random_problems(
      GetParam(), 26, no_dropout, [](const AttentionCase& c, AttentionProblem& p, Generator& g) {
        const std::int64_t cut = random_int(g, 0, c.Lk);
        const Tensor bias = zero_where_masked(p);
        const auto part = [&](std::int64_t start, std::int64_t stop) {
          const Slice keys{.start = start, .stop = stop};
          return attend_with_weights(p.queries, p.keys.slice(-2, keys), p.values.slice(-2, keys),
                                     with_dense_mask(p, p.takes_part.slice(-1, keys), bias.slice(-1, keys)));
        };
        const AttendResult left = part(0, cut), right = part(cut, c.Lk), whole = p.attend_with_weights();
        const Tensor both = stack({left.log_sum_exp, right.log_sum_exp}, -1);
        const Tensor lse = logsumexp(both, -1);
        ASSERT_TRUE(all_close(lse, whole.log_sum_exp, kClose));
        const Tensor share = masked_softmax_where(both, both > -kInf).unsqueeze(-1);
        const Tensor merged = left.output * share.select(-2, 0) + right.output * share.select(-2, 1);
        ASSERT_TRUE(all_close(merged, whole.output, kClose));
      });
}

TEST_P(Laws, ARowAloneIsTheRowInTheBatchBitForBit) {
  for_random_problems(
      GetParam(), 27, no_dropout, [](const AttentionCase& c, AttentionProblem& p, Generator& g) {
        if (c.Lq == 0) return;
        const std::int64_t i = random_int(g, 0, c.Lq - 1);
        const Slice row{.start = i, .stop = i + 1};
        const AttendOptions all = with_dense_mask(p, p.takes_part, zero_where_masked(p));
        // Up to eight rows go by a kernel of their own: a row of many is compared with nine times itself.
        const bool few = explain(p.queries, p.keys, p.values, all).kernel == "few rows";
        const auto alone = [&](const Tensor& x) {
          return repeat_interleave(x.slice(-2, row), few ? 1 : 9, -2);
        };
        AttendOptions one = all;
        one.mask = mask(alone(p.takes_part));
        one.bias = alone(all.bias);
        const Tensor whole = attend(p.queries, p.keys, p.values, all);
        ASSERT_TRUE(identical(attend(alone(p.queries), p.keys, p.values, one), alone(whole)));
        if (c.rank < 3) return;
        const std::int64_t b = random_int(g, 0, c.B - 1);
        const Slice batch{.start = b, .stop = b + 1};
        AttendOptions single = all;
        single.mask = mask(p.takes_part.slice(0, batch));
        single.bias = all.bias.slice(0, batch);
        ASSERT_TRUE(identical(
            attend(p.queries.slice(0, batch), p.keys.slice(0, batch), p.values.slice(0, batch), single),
            whole.slice(0, batch)));
      });
}

TEST_P(Laws, WeightsTimesValuesIsTheOutput) {
  for_random_problems(
      GetParam(), 28, no_dropout, [](const AttentionCase& c, AttentionProblem& p, Generator&) {
        const AttendResult result = p.attend_with_weights();
        const Tensor values = c.rank == 4 ? repeat_interleave(p.values, c.H / c.Hkv, 1) : p.values;
        ASSERT_TRUE(all_close(matmul(result.weights(), values), result.output, kClose));
      });
}

TEST_P(Laws, ChosenRowsAndHeadsAreThoseOfAllWeights) {
  for_random_problems(GetParam(), 29, no_change,
                      [](const AttentionCase& c, AttentionProblem& p, Generator& g) {
                        if (c.Lq == 0) return;
                        const AttentionWeights weights = p.attend_with_weights().weights;
                        const std::vector<std::int64_t> rows = {random_int(g, 0, c.Lq - 1), -1};
                        Tensor expected = reorder(weights(), -2, {rows[0], c.Lq - 1});
                        WeightsPart part{.rows = rows};
                        if (c.rank == 4) {
                          part.heads = {c.H - 1};
                          expected = reorder(expected, 1, {c.H - 1});
                        }
                        ASSERT_TRUE(identical(weights(part), expected));
                      });
}

TEST_P(Laws, GroupedHeadsAreRepeatedHeads) {
  const auto grouped = [](AttentionCase& c) {
    c.rank = 4;
    c.Hkv = 2;
    c.H = 6;
  };
  for_random_problems(GetParam(), 30, grouped, [](const AttentionCase& c, AttentionProblem& p, Generator&) {
    AttentionProblem repeated = p;
    repeated.keys = repeat_interleave(p.keys, 3, 1);
    repeated.values = repeat_interleave(p.values, 3, 1);
    // So few rows may be few when each head has its own keys, and many when three share them.
    if (c.Lq <= 8) {
      ASSERT_TRUE(all_close(p.attend(), repeated.attend(), kClose));
    } else {
      ASSERT_TRUE(identical(p.attend(), repeated.attend()));
    }
  });
}

/// Whether several workers get something to do: less work than that stays on the thread that called.
bool is_shared_out(const AttentionCase& c, const AttentionProblem& p) {
  kernels::AttendProblem sizes;
  sizes.B = c.B;
  sizes.H = c.H;
  sizes.Lq = c.Lq;
  sizes.Lk = c.Lk;
  sizes.Dv = c.Dv;
  return kernels::cpu::work_of(sizes) >= 2 * kernels::cpu::kLeastTask &&
         explain(p.queries, p.keys, p.values, p.options).forward_tasks > 1;
}

TEST_P(Laws, AnyThreadCountGivesTheSameBits) {
  const int before = num_threads();
  int shared_out = 0;
  const Body body = [&](const AttentionCase& c, AttentionProblem& p, Generator& g) {
    const std::vector<Tensor> leaves = p.differentiable();
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    std::vector<Tensor> first;
    Tensor seed;
    for (const int threads : {1, 2, 3, 8}) {
      set_num_threads(threads);
      const Tensor out = p.attend();
      if (!seed.defined()) seed = normal(out.shape(), {}, f64, g);
      for (const Tensor& leaf : leaves) leaf.set_grad({});
      out.backward(seed);
      std::vector<Tensor> results = {out.detach()};
      for (const Tensor& leaf : leaves) results.push_back(leaf.grad());
      if (first.empty()) first = results;
      for (std::size_t n = 0; n < results.size(); ++n)
        ASSERT_TRUE(identical(results[n], first[n])) << threads;
    }
    shared_out += is_shared_out(c, p);
  };
  for_random_problems(GetParam(), 31, no_change, body, 2);
  set_num_threads(before);
  EXPECT_GE(shared_out, 8);
}

/// A row that is the only one of its block attends to the last keys of a key block alone; in a call on fewer rows it has neighbours
/// whose keys begin earlier.
TEST_P(Laws, ARowWhoseKeysBeginLateHasTheSameBitsAmongOtherNeighbours) {
  Generator g(34);
  AttentionCase c;
  c.rank = 2;
  c.B = c.H = c.Hkv = 1;
  c.Lq = 65;
  c.D = c.Dk = 3;
  c.score = GetParam();
  for (std::int64_t keys = 121; keys < 204; keys += keys == 136 ? 54 : 1) {
    for (const std::int64_t features : {1, 20}) {
      SCOPED_TRACE(keys);
      c.Lk = keys;
      c.Dv = features;
      AttentionProblem p = build(c, g);
      p.queries = p.queries * 8;  // scores so large that a row's first keys matter
      p.options.mask = window({.left = 1, .right = 0, .align = Align::kBottomRight});
      const Slice last{.start = c.Lq - 20};
      const Tensor among_all = p.attend().slice(0, last);
      p.queries = p.queries.slice(0, last);
      ASSERT_TRUE(identical(p.attend(), among_all));
    }
  }
}

TEST_P(Laws, GarbageInMaskedSlotsChangesNoBit) {
  for_random_problems(
      GetParam(), 32, no_change, [](const AttentionCase& c, AttentionProblem& p, Generator& g) {
        if (c.Lk == 0 || c.Lq == 0) return;
        // Which keys of which key-value head no query reads: poison those, and the bias wherever a mask hides it.
        const Tensor part = p.takes_part.reshape({c.B, c.Hkv, c.H / c.Hkv, c.Lq, c.Lk});
        const Tensor unread = logical_not(max(part.to(i64), {2, 3}) > 0);
        Shape per_key = p.keys.shape();
        per_key[per_key.rank() - 1] = 1;
        Shape per_query = p.queries.shape();
        per_query[per_query.rank() - 1] = 1;
        const Tensor idle = logical_not(max(p.takes_part.to(i64), -1, keepdims) > 0).reshape(per_query);
        const Tensor seed = normal(p.attend().shape(), {}, f64, g);
        const auto run = [&](const AttentionProblem& problem) {
          const std::vector<Tensor> leaves = problem.differentiable();
          for (const Tensor& leaf : leaves) leaf.requires_grad_().set_grad({});
          const Tensor out = problem.attend();
          out.backward(seed);
          std::vector<Tensor> results = {out.detach(), problem.attend_with_weights().weights()};
          for (const Tensor& leaf : leaves) results.push_back(leaf.grad());
          return results;
        };
        const std::vector<Tensor> clean = run(p);
        for (const double garbage : {std::nan(""), kInf, -kInf, 1e300}) {
          AttentionProblem poisoned = p;
          const Tensor poison = full({}, garbage, f64);
          poisoned.queries = where(idle, poison, p.queries.detach());
          poisoned.keys = where(unread.reshape(per_key), poison, p.keys.detach());
          poisoned.values = where(unread.reshape(per_key), poison, p.values.detach());
          if (c.bias == AttentionCase::Bias::kFull) {
            poisoned.options.bias = where(p.takes_part, p.options.bias.detach(), poison);
          }
          const std::vector<Tensor> dirty = run(poisoned);
          for (std::size_t n = 0; n < clean.size(); ++n) {
            ASSERT_TRUE(identical(dirty[n], clean[n])) << "result " << n << " with " << garbage;
          }
        }
      });
}

INSTANTIATE_TEST_SUITE_P(Scores, Laws, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

TEST(LawsBetweenScores, GaussianIsDotWithAKeyBias) {
  Generator g(33);
  for (int n = 0; n < 50; ++n) {
    const std::int64_t Lq = random_int(g, 1, 9), Lk = random_int(g, 1, 9), D = random_int(g, 1, 9);
    const Tensor q = normal({Lq, D}, {}, f64, g), k = normal({Lk, D}, {}, f64, g),
                 v = normal({Lk, 3}, {}, f64, g);
    const Tensor key_bias = sum(k * k, -1) * -0.5;
    ASSERT_TRUE(all_close(attend(q, k, v, {.score = Gaussian{}}),
                          attend(q, k, v, {.score = Dot{}, .bias = key_bias.unsqueeze(0)}), kClose));
  }
}

}  // namespace
}  // namespace heed::test
