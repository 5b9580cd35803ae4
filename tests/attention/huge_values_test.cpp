// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Values near the end of their range: an output is a mean of values, so nothing may overflow on the way to it.
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

struct Huge {
  Dtype dtype;
  double value;
};

class HugeValues : public testing::TestWithParam<Huge> {
 protected:
  Dtype dtype() const { return GetParam().dtype; }
  double value() const { return GetParam().value; }

  double tolerance() const { return dtype() == f32 ? 1e-5 : 1e-13; }

  /// (rows, columns): the values, of which every mean is the same, with a sign by column.
  Tensor huge(std::int64_t rows, std::int64_t columns) const {
    const Tensor sign =
        where(arange(columns, dtype()) < 1.0, full({columns}, -1.0, dtype()), ones({columns}, dtype()));
    return (sign * value()).expand({rows, columns}).contiguous();
  }
  testing::AssertionResult is_huge(const Tensor& out) const {
    return near(out, huge(out.size(0), out.size(1)), tolerance());
  }
};

TEST_P(HugeValues, GiveTheirMean) {
  // Few rows and many, one key block, several, and several chunks; few value features and many.
  for (const std::int64_t queries : {1, 16, 70}) {
    for (const std::int64_t keys : {1, 12, 500, 5000}) {
      for (const std::int64_t columns : {1, 3, 24}) {
        SCOPED_TRACE(testing::Message() << queries << " x " << keys << ", " << columns << " columns");
        const Tensor q = random_normal({queries, 4}, dtype()) * 3.0,
                     k = random_normal({keys, 4}, dtype(), 2) * 3.0, v = huge(keys, columns);
        EXPECT_TRUE(is_huge(attend(q, k, v, {.score = Dot{}})));
        EXPECT_TRUE(is_huge(attend(q, k, v, {.score = Gaussian{.bandwidth = 0.5}})));
        EXPECT_TRUE(is_huge(attend(q, k, v, {.mask = valid_lens({keys})})));
        EXPECT_TRUE(is_huge(
            attend(q, k, v, {.mask = window({.left = queries, .right = 10, .align = Align::kTopLeft})})));
      }
    }
  }
}

TEST_P(HugeValues, GiveTheirMeanForScoresThatGrow) {
  // The first keys set what the others are relative to.
  const Tensor q = ones({16, 1}, dtype()), k = arange(28, dtype()).reshape({28, 1}), v = huge(28, 8);
  EXPECT_TRUE(is_huge(attend(q, k, v, {.score = Dot{}})));
}

TEST_P(HugeValues, OfAChunkThatWeighsNothingDoNotShow) {
  for (const bool first : {true, false}) {
    Tensor k = zeros({4608, 1}, dtype()), v = ones({4608, 24}, dtype());
    const Slice far = first ? Slice{0, 2304} : Slice{2304, 4608};
    k.slice(0, far).fill_(-2000.0);
    v.slice(0, far).fill_(value());
    for (const std::int64_t queries : {1, 16}) {
      EXPECT_TRUE(near(attend(ones({queries, 1}, dtype()), k, v, {.score = Dot{}}),
                       ones({queries, 24}, dtype()), tolerance()));
    }
  }
}

TEST_P(HugeValues, OfOneRowChangeNoOther) {
  // Rows up to 13 look at huge values, the others do not.
  const Tensor q = random_normal({40, 4}, dtype()), k = random_normal({300, 4}, dtype(), 2) * 3.0;
  Tensor v = random_normal({300, 24}, dtype(), 3);
  const Tensor before =
      attend(q, k, v, {.score = Dot{}, .mask = window({.left = 5, .right = 5, .align = Align::kTopLeft})});
  v.slice(0, {0, 9}).fill_(value());
  const Tensor after =
      attend(q, k, v, {.score = Dot{}, .mask = window({.left = 5, .right = 5, .align = Align::kTopLeft})});
  EXPECT_TRUE(same_bits(after.slice(0, {14, 40}), before.slice(0, {14, 40})));
  EXPECT_TRUE(near(after - after, zeros({40, 24}, dtype())));
}

INSTANTIATE_TEST_SUITE_P(Dtypes, HugeValues,
                         testing::Values(Huge{f32, 1e34}, Huge{f32, 3.4e38}, Huge{f64, 1e307},
                                         Huge{f64, 1.79e308}));

TEST(NanValue, OfAChunkThatWeighsNextToNothingShows) {
  for (const Dtype dtype : {f32, f64}) {
    for (const bool first : {true, false}) {
      Tensor k = zeros({4608, 1}, dtype), v = ones({4608, 24}, dtype);
      k.slice(0, first ? Slice{0, 2304} : Slice{2304, 4608}).fill_(-2000.0);
      v.slice(0, first ? Slice{10, 11} : Slice{4600, 4601}).fill_(kNan);
      for (const std::int64_t queries : {1, 16}) {
        const Tensor out = attend(ones({queries, 1}, dtype), k, v, {.score = Dot{}});
        EXPECT_TRUE(near(out, full({queries, 24}, kNan, dtype))) << (first ? "first" : "second");
      }
    }
  }
}

}  // namespace
}  // namespace heed::test
