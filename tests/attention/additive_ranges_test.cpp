// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The additive score takes exponentials per row and shares divisions among terms. Both have ranges; nothing may change
// where one ends: not for large projections, not for huge, tiny or missing weights.
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::test {
namespace {

struct Problem {
  Tensor queries, keys, values, w;  ///< already projected: W_q and W_k are identities
};

/// Queries around `a` and keys around `b`, every other feature with the other sign, as (L, D).
Problem problem_around(double a, double b, double weight, Dtype dtype) {
  const std::int64_t D = 7;
  const Tensor signs = tensor({1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0});
  Problem p{random_normal({5, D}, f64, 1) * 0.5 + signs * a, random_normal({9, D}, f64, 2) * 0.5 - signs * b,
            random_normal({9, 3}, f64, 3), random_normal({D}, f64, 4) * weight};
  for (Tensor* x : {&p.queries, &p.keys, &p.values, &p.w}) *x = x->to(dtype);
  return p;
}

Tensor attend_additively(const Problem& p) {
  const std::int64_t D = p.queries.size(1);
  const Tensor identity = eye(D, p.queries.dtype());
  return attend(p.queries, p.keys, p.values,
                {.score = Additive{.W_q = identity, .W_k = identity, .w_v = p.w}});
}

Tensor by_definition(const Problem& p) {
  const Tensor terms = tanh(p.queries.unsqueeze(1) + p.keys.unsqueeze(0));
  return matmul(softmax(sum(terms * p.w, -1), -1), p.values);
}

/// Output and gradients of attend against the definition in f64.
void expect_definition(const Problem& p, double tolerance) {
  Problem exact = p;
  const std::vector<Tensor*> leaves = {&exact.queries, &exact.keys, &exact.values, &exact.w};
  for (Tensor* x : leaves) *x = x->to(f64).detach().requires_grad_();
  Problem ours = p;
  for (Tensor* x : {&ours.queries, &ours.keys, &ours.values, &ours.w}) *x = x->detach().requires_grad_();
  const Tensor expected = by_definition(exact), found = attend_additively(ours);
  EXPECT_TRUE(near(found.to(f64).detach(), expected.detach(), tolerance));
  const Tensor seed = random_normal(expected.shape(), f64, 5);
  expected.backward(seed);
  found.backward(seed.to(found.dtype()));
  EXPECT_TRUE(near(ours.queries.grad().to(f64), exact.queries.grad(), tolerance)) << "queries";
  EXPECT_TRUE(near(ours.keys.grad().to(f64), exact.keys.grad(), tolerance)) << "keys";
  EXPECT_TRUE(near(ours.values.grad().to(f64), exact.values.grad(), tolerance)) << "values";
  EXPECT_TRUE(near(ours.w.grad().to(f64), exact.w.grad(), tolerance)) << "w_v";
}

// Denominators are cut off from |a| + |b| = 9.36 (f32) and 86.3 (f64) on, exponentials end at |a| = 38.1 and 346.6.
TEST(AdditiveRanges, HaveNoEdgeInSinglePrecision) {
  for (const double a : {0.0, 4.5, 5.5, 9.2, 9.5, 21.0, 37.5, 38.2, 39.0, 60.0, 500.0}) {
    for (const double b : {0.0, 5.0, 10.0, 37.9, a, -a}) {
      SCOPED_TRACE(testing::Message() << "a " << a << " b " << b);
      expect_definition(problem_around(a, b, 1, f32), 2e-5);
    }
  }
}

TEST(AdditiveRanges, HaveNoEdgeInDoublePrecision) {
  for (const double a : {0.0, 43.0, 86.0, 87.0, 172.0, 346.0, 346.7, 348.0, 5000.0}) {
    for (const double b : {0.0, 43.0, 346.5, a, -a}) {
      SCOPED_TRACE(testing::Message() << "a " << a << " b " << b);
      expect_definition(problem_around(a, b, 1, f64), 1e-11);
    }
  }
}

TEST(AdditiveRanges, HoldForHugeTinyAndMissingWeights) {
  for (const double weight : {0.0, 1e-38, 1e-30, 1e-8, 100.0}) {
    for (const double a : {0.0, 12.0, 50.0}) {
      SCOPED_TRACE(testing::Message() << "weight " << weight << " a " << a);
      expect_definition(problem_around(a, a, weight, f32), weight > 1 ? 2e-3 : 2e-5);
      expect_definition(problem_around(a, a, weight, f64), weight > 1 ? 1e-9 : 1e-11);
    }
  }
  // One weight far above the others: those must still count.
  Problem p = problem_around(0, 0, 1, f32);
  p.w = tensor({1e-6F, 3.0F, -2e-4F, 1e-7F, -1.0F, 1e-3F, 0.0F});
  expect_definition(p, 2e-5);
  // Scores of 1e30 overflow nothing: the largest takes all.
  p.w = full({7}, 1e30, f32);
  const Tensor out = attend_additively(p);
  EXPECT_TRUE(near(out.to(f64),
                   by_definition({p.queries.to(f64), p.keys.to(f64), p.values.to(f64), p.w.to(f64)}), 1e-5));
}

// Weights are part of the denominators as long as the product of four inverses stays below 2^14 (f32) and 2^20 (f64).
TEST(AdditiveRanges, HaveNoEdgeWhereWeightsLeaveTheDenominators) {
  for (const double tiny :
       {0x1p-13, 0x1.01p-14, 0x1p-14, 0x1.fep-15, 0x1p-19, 0x1p-20, 0x1.fep-21, 0x1p-30}) {
    for (const double a : {0.0, 4.0, 9.3, 9.4, 12.0, 37.0, 39.0}) {
      SCOPED_TRACE(testing::Message() << "tiny " << tiny << " a " << a);
      for (const Dtype dtype : {f32, f64}) {
        Problem p = problem_around(a, a - 0.5, 1, dtype);
        p.w = tensor({-1.0, tiny, 1.0, -1.0, 1.0, 0.5, -0.25}).to(dtype);
        expect_definition(p, dtype == f32 ? 2e-5 : 1e-11);
      }
    }
  }
}

Tensor first_four(const Tensor& x) { return x.slice(0, {.start = 0, .stop = 4}); }

TEST(AdditiveRanges, AWideNeighbourChangesNoBit) {
  for (const Dtype dtype : {f32, f64}) {
    Problem p = problem_around(1, 1, 1, dtype);
    p.queries.requires_grad_();
    const Tensor alone = attend_additively(p);
    sum(alone).backward();
    const Tensor grad = first_four(p.queries.grad());
    for (const double far : {20.0, 60.0, 1000.0, kInf, kNan}) {
      SCOPED_TRACE(far);
      Problem q = p;
      q.queries = p.queries.detach().clone();
      q.queries.slice(0, {.start = 4, .stop = 5}).copy_(full({1, 7}, far, dtype));
      q.queries.requires_grad_();
      const Tensor out = attend_additively(q);
      EXPECT_TRUE(identical(first_four(out.detach()), first_four(alone.detach())));
      sum(first_four(out)).backward();
      EXPECT_TRUE(identical(first_four(q.queries.grad()), grad));
    }
  }
}

}  // namespace
}  // namespace heed::test
