// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// explain() names the kernel, its sizes and what was not taken.
#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

Tensor shaped(const Shape& shape, Dtype dtype = f32) { return zeros({1}, dtype).expand(shape); }

std::string why_not(const Explanation& e, const std::string& kernel) {
  for (const Alternative& a : e.alternatives) {
    if (a.kernel == kernel) return a.why_not;
  }
  return "";
}

TEST(Explain, NamesTheKernelAndTheOneReasonAgainstTheOther) {
  const Tensor one = shaped({1, 32, 1, 128}), cache = shaped({1, 8, 32768, 128}),
               many = shaped({1, 32, 3, 128});
  EXPECT_EQ(explain(one, cache, cache).kernel, "few rows");
  EXPECT_EQ(explain(one, cache, cache).query_rows, 8);
  EXPECT_EQ(explain(one, cache, cache).chunk_rows % explain(one, cache, cache).key_rows, 0);
  EXPECT_EQ(explain(many, cache, cache).kernel, "tiles");
  const Additive additive{.W_q = shaped({8, 128}), .W_k = shaped({8, 128}), .w_v = shaped({8})};
  EXPECT_EQ(explain(one, cache, cache, {.score = additive}).kernel, "tiles");
  EXPECT_EQ(why_not(explain(one, cache, cache, {.score = additive}), "few rows"), "not for additive scores");
  EXPECT_EQ(why_not(explain(many, cache, cache), "few rows"), "more than 8 queries read a key-value head");
}

/// The kernel must not change with what a call asks for besides, or rows' bits would.
TEST(Explain, FewRowsAreFewWithEveryOption) {
  const Tensor one = shaped({1, 32, 1, 128}), cache = shaped({1, 8, 32768, 128});
  const std::vector<AttendOptions> all = {{},
                                          {.mask = mask(ones({1}, boolean).expand({1, 32768}))},
                                          {.bias = shaped({1, 32768})},
                                          {.softcap = 3.0},
                                          {.dropout = 0.5}};
  for (AttendOptions options : all) {
    for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{})}) {
      options.score = score;
      const Explanation e = explain(one, cache, cache, options);
      EXPECT_EQ(e.kernel, "few rows");
      EXPECT_NE(e.how.find("backward too"), std::string::npos);
    }
  }
}

TEST(Explain, ProblemsOfNothingHaveAPlanToo) {
  for (const Shape& queries : {Shape{2, 0, 1, 4}, Shape{0, 2, 1, 4}, Shape{2, 2, 0, 4}, Shape{2, 2, 1, 0}}) {
    for (const std::int64_t Lk : {0, 3}) {
      const Tensor q = zeros(queries), k = zeros({queries[0], queries[1], Lk, queries[3]});
      for (const Score& score : {Score(ScaledDot{}), Score(Gaussian{})}) {
        EXPECT_EQ(explain(q, k, k, {.score = score}).pairs, queries[0] * queries[1] * queries[2] * Lk);
        EXPECT_EQ(attend(q, k, k, {.score = score}).numel(), q.numel());
      }
    }
  }
}

TEST(Explain, EveryScoreGoesByTiles) {
  const Tensor x = shaped({2, 4, 50, 16});
  for (const Score& score :
       {Score(ScaledDot{}), Score(Dot{}), Score(Gaussian{}),
        Score(Additive{.W_q = shaped({8, 16}), .W_k = shaped({8, 16}), .w_v = shaped({8})})}) {
    const Explanation e = explain(x, x, x, {.score = score});
    EXPECT_EQ(e.kernel, "tiles");
  }
}

TEST(Explain, CountsPairsAndFollowsTheTier) {
  const Tensor x = shaped({2, 3, 100, 16});
  EXPECT_EQ(explain(x, x, x).pairs, 2 * 3 * 100 * 100);
  EXPECT_EQ(explain(x, x, x, {.mask = causal()}).pairs, 2 * 3 * 100 * 101 / 2);
  EXPECT_EQ(explain(x, x, x).forward_flop, 2.0 * 3 * 100 * 100 * 4 * 16);
  const std::string before = simd_tier();
  for (const std::string& tier : simd_tiers()) {
    set_simd_tier(tier);
    const Explanation e = explain(x, x, x);
    EXPECT_EQ(e.tier, tier);
    EXPECT_NE(e.text().find(tier), std::string::npos);
    EXPECT_EQ(why_not(e, "tier " + tier), "");
    bool better = true;
    for (const std::string& other : simd_tiers()) {
      if (other == tier) {
        better = false;
      } else {
        EXPECT_EQ(why_not(e, "tier " + other), better ? tier + " was asked for, by HEED_SIMD or set_simd_tier"
                                                      : "this CPU has " + tier + ", which is faster");
      }
    }
  }
  set_simd_tier(before);
}

/// By a formula, against counting pair by pair: bands that cut every corner, and those that meet no key at all.
TEST(Explain, CountsThePairsOfEveryBand) {
  for (const std::int64_t Lq : {1, 4, 7}) {
    for (const std::int64_t Lk : {1, 5, 9}) {
      const Tensor q = shaped({Lq, 2}), k = shaped({Lk, 2});
      for (const Align align : {Align::kTopLeft, Align::kBottomRight}) {
        for (std::int64_t left = 0; left < 10; ++left) {
          for (std::int64_t right = 0; right < 10; ++right) {
            const std::int64_t shift = align == Align::kBottomRight ? Lk - Lq : 0;
            double pairs = 0;
            for (std::int64_t i = 0; i < Lq; ++i) {
              for (std::int64_t j = 0; j < Lk; ++j)
                pairs += i + shift - left <= j && j <= i + shift + right ? 1 : 0;
            }
            const Mask band = window({.left = left, .right = right, .align = align});
            EXPECT_EQ(explain(q, k, k, {.mask = band}).pairs, pairs)
                << Lq << " " << Lk << " " << left << " " << right;
          }
        }
      }
    }
  }
}

TEST(Explain, SaysWhatWorkspaceACallTakes) {
  // The allocator's own count, against what was announced: query blocks by chunks of keys, and few rows, many of them.
  struct Shapes {
    Shape queries, keys;
  };
  for (const Shapes& s :
       {Shapes{{1, 4, 600, 32}, {1, 2, 5000, 32}}, Shapes{{3000, 1, 1, 1}, {3000, 1, 100, 1}},
        Shapes{{64, 8, 1, 8}, {64, 8, 4096, 8}}, Shapes{{2, 4, 200, 32}, {2, 4, 200, 32}}}) {
    const Tensor q = normal(s.queries), k = normal(s.keys), v = normal(s.keys);
    const Explanation e = explain(q, k, v);
    const NoGrad guard;
    attend(q, k, v);
    reset_peak_memory();
    const std::size_t before = memory_use().current;
    attend(q, k, v);
    const auto results = static_cast<std::size_t>(q.numel() + q.numel() / q.size(3)) * sizeof(float);
    const std::size_t taken = memory_use().peak - before - results;
    EXPECT_LE(taken, e.forward_bytes + 16384) << q.shape();
    EXPECT_GE(taken + 16384, e.forward_bytes) << q.shape();
  }
}

TEST(Explain, RefusesWhatAttendRefusesAndTakesEmptyShapes) {
  EXPECT_THROW(explain(shaped({2, 3, 4, 5}), shaped({2, 2, 4, 5}), shaped({2, 2, 4, 5})), Error);
  const Explanation e = explain(shaped({2, 3, 0, 5}), shaped({2, 3, 0, 5}), shaped({2, 3, 0, 5}));
  EXPECT_EQ(e.pairs, 0);
}

}  // namespace
}  // namespace heed::test
