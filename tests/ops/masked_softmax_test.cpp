// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"
#include "support/tensors.h"

#include <cmath>

namespace heed::test {
namespace {

using Doubles = std::vector<double>;

/// softmax of what `allowed` lets through in each row of (rows, n), entry by entry.
Doubles masked(const Tensor& scores, const std::vector<bool>& allowed) {
  const Doubles x = scores.to_vector();
  const auto n = static_cast<std::size_t>(scores.size(-1));
  Doubles out(x.size(), 0.0);
  for (std::size_t first = 0; first < x.size(); first += n) {
    double top = -kInf;
    double sum = 0;
    for (std::size_t i = first; i < first + n; ++i) {
      if (allowed[i]) top = std::max(top, x[i]);
    }
    for (std::size_t i = first; i < first + n; ++i) {
      if (allowed[i] && x[i] != -kInf) sum += std::exp(x[i] - top);
    }
    for (std::size_t i = first; i < first + n; ++i) {
      if (allowed[i] && x[i] != -kInf) out[i] = std::exp(x[i] - top) / sum;
    }
  }
  return out;
}

TEST(MaskedSoftmax, LooksAtTheFirstOfEachRow) {
  const Tensor scores = random_normal({2, 3, 5});
  std::vector<bool> allowed;
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t i = 0; i < 15; ++i) allowed.push_back(i % 5 < (b == 0 ? 2 : 4));
  }
  EXPECT_TRUE(near(masked_softmax(scores, tensor({2, 4}, i64)), masked(scores, allowed)));

  const Tensor per_row = tensor({{1, 5, 0}, {3, 2, 4}}, i64);
  allowed.clear();
  for (std::int64_t length : per_row.to_vector<std::int64_t>()) {
    for (std::int64_t j = 0; j < 5; ++j) allowed.push_back(j < length);
  }
  const Tensor weights = masked_softmax(scores, per_row);
  EXPECT_TRUE(near(weights, masked(scores, allowed)));
  EXPECT_EQ(weights[0][2].to_vector(), Doubles(5, 0.0));  // a length of 0
  EXPECT_TRUE(same_bits(masked_softmax(scores[0], per_row[0]), weights[0]));
  EXPECT_TRUE(near(masked_softmax(scores), softmax(scores), 1e-15));
}

TEST(MaskedSoftmax, TakesAnyBooleanMask) {
  const Tensor scores = random_normal({2, 2, 3, 4});
  const Tensor mask = random_in({0, 1}, {3, 4}) > 0.4;
  std::vector<bool> allowed;
  for (int i = 0; i < 4; ++i) {
    for (bool flag : mask.to_vector<bool>()) allowed.push_back(flag);
  }
  EXPECT_TRUE(near(masked_softmax_where(scores, mask), masked(scores, allowed)));
  EXPECT_EQ(masked_softmax_where(scores, tensor(false)).to_vector(), Doubles(48, 0.0));
}

TEST(MaskedSoftmax, MinusInfinityIsMaskedAndEmptyRowsAreZero) {
  const Tensor scores =
      tensor({{-kInf, 1, 2}, {-kInf, -kInf, 5}, {-kInf, -kInf, -kInf}}, f64).requires_grad_();
  const Tensor weights = masked_softmax(scores, tensor({3, 2, 3}, i64));
  const double high = 1 / (1 + std::exp(-1.0));
  EXPECT_TRUE(near(weights, {0, 1 - high, high, 0, 0, 0, 0, 0, 0}));
  weights.backward(random_normal({3, 3}));
  EXPECT_TRUE(near(scores.grad().slice(0, {.start = 1}), Doubles(6, 0.0)));
  EXPECT_EQ(scores.grad().at({0, 0}), 0);
  EXPECT_EQ(masked_softmax(zeros({2, 3, 0}), tensor({0, 0}, i64)).shape(), (Shape{2, 3, 0}));
}

TEST(MaskedSoftmax, GarbageBehindTheMaskChangesNoBit) {
  const Tensor clean = random_normal({2, 3, 4}, f32);
  const Tensor lens = tensor({{0, 2, 4}, {1, 3, 2}}, i64);
  const Tensor dead = arange(4, i64) >= lens.unsqueeze(-1);
  const Tensor seed = random_normal({2, 3, 4}, f32, 2);
  const auto run = [&](const Tensor& scores, const Tensor& incoming, bool by_mask) {
    const Tensor x = scores.clone().requires_grad_();
    const Tensor y = by_mask ? masked_softmax_where(x, logical_not(dead)) : masked_softmax(x, lens);
    y.backward(incoming);
    return std::vector<Tensor>{y.detach(), x.grad()};
  };
  for (bool by_mask : {false, true}) {
    const auto expected = run(clean, seed, by_mask);
    for (double poison : {kNan, kInf, -kInf, 1e30}) {
      const auto found = run(poisoned(clean, dead, poison), poisoned(seed, dead, poison), by_mask);
      EXPECT_TRUE(same_bits(found[0], expected[0])) << poison;
      EXPECT_TRUE(same_bits(found[1], expected[1])) << poison;
    }
  }
}

TEST(MaskedSoftmax, NanThatIsLookedAtIsSeen) {
  const Tensor scores = tensor({{1, kNan, 2}, {1, 2, kNan}}, f64);
  EXPECT_TRUE(near(masked_softmax(scores, tensor({2, 2}, i64)),
                   {kNan, kNan, 0, 1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(-1.0)), 0}));
}

TEST(SequenceMask, ReplacesTheTail) {
  const Tensor x = arange(12).reshape({2, 3, 2});
  EXPECT_EQ(sequence_mask(x, tensor({1, 3}, i64), -1).to_vector(),
            (Doubles{0, 1, -1, -1, -1, -1, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(sequence_mask(ones({2, 2}, i64), tensor({0, 1}, i64)).to_vector(), (Doubles{0, 0, 1, 0}));
  EXPECT_EQ(sequence_mask(ones({2, 2}), tensor({0, 1}, i64), -1e6).at({0, 0}), -1e6);

  const Tensor poisonous = tensor({{1, kNan}, {kInf, 2}}, f64).requires_grad_();
  const Tensor y = sequence_mask(poisonous, tensor({1, 0}, i64));
  EXPECT_EQ(y.to_vector(), (Doubles{1, 0, 0, 0}));
  y.backward(full({2, 2}, kNan, f64));
  EXPECT_TRUE(near(poisonous.grad(), {kNan, 0, 0, 0}));
}

TEST(MaskedSoftmax, Errors) {
  const Tensor scores = zeros({2, 3, 4});
  expect_errors({
      {[&] {
         masked_softmax(scores, tensor({3, 7}, i64));
       },
       "masked_softmax: valid_lens[1] is 7, expected 0..4"},
      {[&] {
         masked_softmax(scores, tensor({-1, 4}, i64));
       },
       "masked_softmax: valid_lens[0] is -1, expected 0..4"},
      {[&] {
         masked_softmax(scores, tensor({{1, 1, 1}, {1, 9, 1}}, i64));
       },
       "masked_softmax: valid_lens[1, 1] is 9, expected 0..4"},
      {[&] {
         masked_softmax(scores, tensor({1, 1, 1}, i64));
       },
       "masked_softmax: valid_lens has shape (3,), expected (2,) or (2, 3) for scores (2, 3, 4)"},
      {[&] {
         masked_softmax(scores[0], tensor({1, 1}, i64));
       },
       "masked_softmax: valid_lens has shape (2,), expected (3,) for scores (3, 4)"},
      {[&] {
         masked_softmax(scores, tensor({1, 1}));
       },
       "masked_softmax: valid_lens must be i64, found f32"},
      {[&] { masked_softmax(zeros({3})); },
       "masked_softmax: scores must be (B, Lq, Lk) or (Lq, Lk), found (3,)"},
      {[&] { masked_softmax(scores.to(i64)); }, "masked_softmax: scores must be f32 or f64, found i64"},
      {[&] { masked_softmax_where(scores, ones({4})); },
       "masked_softmax_where: mask must be boolean, found f32"},
      {[&] {
         masked_softmax_where(scores, tensor({true, false}));
       },
       "masked_softmax_where: shapes (2, 3, 4) and (2,) do not broadcast"},
      {[&] {
         masked_softmax_where(scores[0], ones({2, 3, 4}, boolean));
       },
       "masked_softmax_where: mask (2, 3, 4) does not broadcast to scores (3, 4)"},
      {[&] {
         sequence_mask(scores, tensor({1, 5}, i64));
       },
       "sequence_mask: valid_lens[1] is 5, expected 0..3"},
      {[&] { sequence_mask(scores, tensor({1}, i64)); },
       "sequence_mask: valid_lens has shape (1,), expected (2,) for x (2, 3, 4)"},
      {[&] {
         sequence_mask(zeros({2}), tensor({1, 1}, i64));
       },
       "sequence_mask: x must be (N, L, ...), found (2,)"},
      {[&] {
         sequence_mask(scores, tensor({1, 1}));
       },
       "sequence_mask: valid_lens must be i64, found f32"},
  });
}

}  // namespace
}  // namespace heed::test
