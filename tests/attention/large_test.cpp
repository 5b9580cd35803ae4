// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Shapes large enough that work is cut: keys into chunks, queries into spans, values by their width.
#include "support/attention_cases.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

constexpr Closeness kClose{.relative = 1e-8, .absolute = 1e-9};

class Large : public testing::TestWithParam<ScoreName> {
 protected:
  static AttentionCase shape(std::int64_t Lq, std::int64_t Lk, std::int64_t Dv) {
    AttentionCase c;
    c.B = 1;
    c.Lq = Lq;
    c.Lk = Lk;
    c.Dv = Dv;
    c.score = GetParam();
    return c;
  }
  /// Output and gradients against the dense composition, and the same bits at 1, 2, 3 and 8 threads.
  static void check(const AttentionCase& c, std::uint64_t seed) {
    SCOPED_TRACE(c.describe());
    Generator g(seed);
    const AttentionProblem p = build(c, g);
    const std::vector<Tensor> leaves = p.differentiable();
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    const Tensor expected = composition(p);
    const Tensor weights = normal(expected.shape(), {}, f64, g);
    const auto results = [&](const Tensor& out) {
      for (const Tensor& leaf : leaves) leaf.set_grad({});
      out.backward(weights);
      std::vector<Tensor> all = {out.detach()};
      for (const Tensor& leaf : leaves) all.push_back(leaf.grad());
      return all;
    };
    const std::vector<Tensor> by_composition = results(expected);
    std::vector<Tensor> first;
    for (const int threads : {1, 2, 3, 8}) {
      const std::vector<Tensor> found = with_threads(threads, [&] { return results(p.attend()); });
      if (first.empty()) first = found;
      for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_TRUE(identical(found[n], first[n])) << threads << " threads, result " << n;
        EXPECT_TRUE(all_close(found[n], by_composition[n], kClose)) << "result " << n;
      }
    }
  }
};

TEST_P(Large, ManyKeysForFewQueries) {
  AttentionCase c = shape(3, 4500, 6);
  check(c, 71);
  c.lengths = AttentionCase::Lengths::kPerRow;
  check(c, 72);
  c.Lq = 1;
  c.lengths = AttentionCase::Lengths::kNone;
  c.bias = AttentionCase::Bias::kBroadcast;
  check(c, 73);
}

TEST_P(Large, ManyQueriesForFewKeys) {
  AttentionCase c = shape(2300, 37, 3);
  c.band = AttentionCase::Band::kWindow;
  check(c, 74);
  c.band = AttentionCase::Band::kNone;
  c.bias = AttentionCase::Bias::kBroadcast;
  check(c, 75);
}

TEST_P(Large, ValuesOfAnyWidth) {
  for (const std::int64_t Dv : {1, 2, 3, 4, 5, 17})
    check(shape(50, 150, Dv), 76 + static_cast<std::uint64_t>(Dv));
}

/// Several query blocks and key blocks in one task: many threads cut it into pieces, which add to the same sums in turn.
TEST_P(Large, PiecesOfATaskAddUpToTheWhole) {
  AttentionCase c = shape(140, 450, 5);
  c.H = 2;
  c.Hkv = 1;
  check(c, 101);
  c.band = AttentionCase::Band::kCausal;  // most key blocks meet no query, and the first ones all of them
  check(c, 102);
  c.band = AttentionCase::Band::kWindow;
  c.lengths = AttentionCase::Lengths::kPerRow;
  check(c, 103);
  c.band = AttentionCase::Band::kNone;
  c.lengths = AttentionCase::Lengths::kNone;
  c.boolean_mask = true;
  for (const auto bias :
       {AttentionCase::Bias::kFull, AttentionCase::Bias::kBroadcast, AttentionCase::Bias::kWithMinusInf}) {
    c.bias = bias;
    c.softcap = bias == AttentionCase::Bias::kFull;
    c.dropout = bias == AttentionCase::Bias::kFull ? 0.2 : 0;
    check(c, 104 + static_cast<std::uint64_t>(bias));
  }
}

TEST_P(Large, HeadsThatFollowOneAnotherHaveTheGradientsTheyHaveAlone) {
  // Four tasks a head, and more heads than are under way at once.
  AttentionCase c = shape(520, 1030, 5);
  c.B = 7;
  c.H = 2;
  c.Hkv = 1;
  Generator g(91);
  const AttentionProblem p = build(c, g);
  const Tensor seed = normal({c.B, c.H, c.Lq, c.Dv}, {}, f64, g);
  const auto gradients = [&](Slice batch) {
    std::vector<Tensor> leaves;
    for (const Tensor& x : {p.queries, p.keys, p.values})
      leaves.push_back(x.slice(0, batch).clone().requires_grad_());
    attend(leaves[0], leaves[1], leaves[2], p.options).backward(seed.slice(0, batch));
    for (Tensor& leaf : leaves) leaf = leaf.grad();
    return leaves;
  };
  std::vector<std::vector<Tensor>> alone;
  for (std::int64_t b = 0; b < c.B; ++b)
    alone.push_back(with_threads(1, [&] { return gradients({.start = b, .stop = b + 1}); }));
  for (const int threads : {1, 2, 3, 8}) {
    const std::vector<Tensor> found = with_threads(threads, [&] { return gradients({}); });
    for (std::int64_t b = 0; b < c.B; ++b) {
      const std::vector<Tensor>& expected = alone[static_cast<std::size_t>(b)];
      for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_TRUE(identical(found[n].slice(0, {.start = b, .stop = b + 1}), expected[n]))
            << threads << " threads, batch " << b << ", gradient " << n;
      }
    }
  }
}

/// The last query blocks are halved where there are several threads, and a head's last rows may fill less than a half.
TEST_P(Large, QueryBlocksOfAnySizeHaveTheSameBitsOnAnyThreads) {
  const int before = num_threads();
  Generator g(91);
  for (const Dtype dtype : {f32, f64}) {
    for (const std::int64_t Lq : {9, 16, 31, 33, 64, 65, 97, 130, 200}) {
      for (const bool banded : {false, true}) {
        AttentionCase c = shape(Lq, 70, 5);
        c.dtype = dtype;
        c.band = banded ? AttentionCase::Band::kCausal : AttentionCase::Band::kNone;
        const AttentionProblem p = build(c, g);
        set_num_threads(1);
        const Tensor expected = p.attend();
        for (const int threads : {2, 3, 16}) {
          set_num_threads(threads);
          EXPECT_TRUE(identical(p.attend(), expected)) << c.describe() << ' ' << threads << " threads";
        }
      }
    }
  }
  set_num_threads(before);
}

TEST_P(Large, TheGradientOfARowDoesNotDependOnItsNeighbours) {
  Generator g(90);
  // One chunk of keys, and several.
  for (AttentionCase c : {shape(53, 140, 5), shape(300, 2100, 5)}) {
    c.H = c.Hkv = 1;
    const AttentionProblem p = build(c, g);
    const Tensor queries = p.queries.clone().requires_grad_();
    const Tensor seed = normal({c.B, c.H, c.Lq, c.Dv}, {}, f64, g);
    attend(queries, p.keys, p.values, p.options).backward(seed);
    // Nine rows, since up to eight are few and go by a kernel of their own.
    for (const std::int64_t i : {std::int64_t{0}, std::int64_t{7}, c.Lq - 9}) {
      const Slice row{.start = i, .stop = i + 9};
      const Tensor one = p.queries.slice(2, row).clone().requires_grad_();
      attend(one, p.keys, p.values, p.options).backward(seed.slice(2, row));
      EXPECT_TRUE(identical(one.grad(), queries.grad().slice(2, row))) << c.Lk << " keys, row " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, Large, testing::ValuesIn(kAllScores),
                         [](const auto& parameter) { return std::string(text(parameter.param)); });

}  // namespace
}  // namespace heed::test
