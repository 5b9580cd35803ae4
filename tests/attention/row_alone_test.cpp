// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A row alone and the row in a batch. Up to eight query rows for a key-value head go by a kernel of their own: on either side of
// that boundary a row has the same bits in every call, across it the same value within the documented bound.
#include "support/attention_cases.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed::test {
namespace {

Tensor rows_of(const Tensor& x, std::int64_t begin, std::int64_t end) {
  return x.slice(-2, {.start = begin, .stop = end});
}

/// A problem of which any run of queries can be asked, each with its own mask and bias.
struct Asked {
  AttentionProblem p;
  Tensor seed;

  Asked(const AttentionCase& c, Generator& g)
      : p(build(c, g)), seed(normal({c.B, c.H, c.Lq, c.Dv}, {}, c.dtype, g)) {}

  AttendOptions options(std::int64_t begin, std::int64_t end) const {
    AttendOptions options = p.options;
    options.mask = mask(rows_of(p.takes_part, begin, end));
    options.bias = rows_of(p.options.bias, begin, end);
    return options;
  }
  std::string kernel(std::int64_t begin, std::int64_t end) const {
    return explain(rows_of(p.queries, begin, end), p.keys, p.values, options(begin, end)).kernel;
  }
  /// Output and the queries' gradient, side by side.
  Tensor rows(std::int64_t begin, std::int64_t end) const {
    const Tensor queries = rows_of(p.queries, begin, end).clone().requires_grad_();
    const Tensor out = attend(queries, p.keys, p.values, options(begin, end));
    out.backward(rows_of(seed, begin, end));
    return cat({out.detach(), queries.grad()}, -1);
  }
};

class RowAlone : public testing::TestWithParam<ScoreName> {};

TEST_P(RowAlone, HasTheBitsOfTheRowInABatchOnEitherSideOfTheBoundary) {
  Generator g(121);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t group : {1, 3, 8}) {
      AttentionCase c;
      c.B = 1;
      c.Hkv = 2;
      c.H = 2 * group;
      c.Lq = 40;
      c.Lk = 530;
      c.score = GetParam();
      c.boolean_mask = true;
      c.bias = AttentionCase::Bias::kFull;
      c.dtype = dtype;
      SCOPED_TRACE(c.describe());
      const Asked asked(c, g);
      const std::int64_t most = c.score == ScoreName::kAdditive ? 0 : 8 / group;  // rows that are few
      const Tensor all = asked.rows(0, c.Lq);
      for (const std::int64_t first : {0, 31}) {
        if (most > 0) {
          ASSERT_EQ(asked.kernel(first, first + most), "few rows");
          const Tensor few = asked.rows(first, first + most);
          for (std::int64_t r = 0; r < most; ++r)
            ASSERT_TRUE(identical(asked.rows(first + r, first + r + 1), rows_of(few, r, r + 1))) << first + r;
        }
        ASSERT_EQ(asked.kernel(first, first + most + 1), "tiles");
        for (const std::int64_t end : {first + most + 1, first + 9})
          ASSERT_TRUE(identical(asked.rows(first, end), rows_of(all, first, end))) << first << " to " << end;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, RowAlone, testing::ValuesIn(kAllScores),
                         [](const auto& score) { return text(score.param); });

/// By how much two results of such scores may differ, each off by 3 u (1 + A) sum p|v| at most: well within the documented bound.
Tensor likely_difference(const Tensor& scores, const Tensor& values, Dtype dtype) {
  const double u = dtype == f32 ? 0x1p-24 : 0x1p-53;
  const Tensor A = max(where(scores > -kInf, abs(scores), zeros({}, f64)));
  return matmul(softmax(scores, -1), abs(values)) * (2 * 3 * u * (1 + A));
}

/// What a token that is generated against a cache of keys has in common with the token in a prefill.
TEST(TokenAlone, AgreesWithThePrefillWithinTheDocumentedBoundAcrossTheBoundary) {
  Generator g(122);
  for (const Dtype dtype : {f32, f64}) {
    for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{})}) {
      const std::int64_t L = 300;
      const Tensor q = normal({4, L, 16}, {}, dtype, g), k = normal({4, L, 16}, {}, dtype, g),
                   v = normal({4, L, 5}, {}, dtype, g);
      const Tensor prefill = attend(q, k, v, {.score = score, .mask = causal()});
      ASSERT_EQ(explain(q, k, v, {.score = score, .mask = causal()}).kernel, "tiles");

      const Tensor wide = q.to(f64), keys = k.to(f64);
      Tensor scores = matmul(wide, keys.transpose(-2, -1)) * 0.25;
      if (std::holds_alternative<Gaussian>(score)) {
        const Tensor difference = wide.unsqueeze(-2) - keys.unsqueeze(-3);
        scores = sum(difference * difference, -1) * -0.5;
      }
      const Tensor i = arange(L, i64).unsqueeze(1), j = arange(L, i64).unsqueeze(0);
      scores = where(j <= i, scores, full({}, -kInf, f64));
      const Tensor bound = likely_difference(scores, v.to(f64), dtype);
      for (std::int64_t t = 0; t < L; t += 13) {
        const Tensor one = rows_of(q, t, t + 1), cache = rows_of(k, 0, t + 1),
                     of_cache = rows_of(v, 0, t + 1);
        ASSERT_EQ(explain(one, cache, of_cache, {.score = score}).kernel, "few rows");
        const Tensor token = attend(one, cache, of_cache, {.score = score});
        const Tensor off = abs(token.to(f64) - rows_of(prefill, t, t + 1).to(f64));
        ASSERT_LE(max(off / rows_of(bound, t, t + 1)).item(), 1) << "token " << t;
      }
    }
  }
}

}  // namespace
}  // namespace heed::test
