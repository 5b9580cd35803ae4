// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Output gradients that are not finite, as a training run that diverges has them: they reach what their row attends to, and
// change no bit of anything else.
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace heed::test {
namespace {

struct Masking {
  Mask mask;
  std::function<bool(std::int64_t, std::int64_t)> attends;  ///< query, key
};

std::vector<Masking> maskings(std::int64_t queries, std::int64_t keys) {
  const auto some = [](std::int64_t i, std::int64_t j) { return (i * 7 + j * 3) % 5 != 0; };
  const Tensor allowed = zeros({queries, keys}, Dtype::kBool);
  for (std::int64_t i = 0; i < queries; ++i) {
    for (std::int64_t j = 0; j < keys; ++j) allowed.select(0, i).select(0, j).fill_(some(i, j));
  }
  return {{{}, [](std::int64_t, std::int64_t) { return true; }},
          {causal(Align::kTopLeft), [](std::int64_t i, std::int64_t j) { return j <= i; }},
          {valid_lens({keys / 2}), [=](std::int64_t, std::int64_t j) { return j < keys / 2; }},
          {mask(allowed), some}};
}

class NanGradients : public testing::TestWithParam<Score> {
 protected:
  /// Of queries, keys and values.
  std::vector<Tensor> gradients(std::int64_t queries, std::int64_t keys, const Mask& mask,
                                const Tensor& seed) const {
    const std::vector<Tensor> leaves = {random_normal({queries, 8}, f32), random_normal({keys, 8}, f32, 2),
                                        random_normal({keys, 24}, f32, 3)};
    for (const Tensor& leaf : leaves) leaf.requires_grad_();
    attend(leaves[0], leaves[1], leaves[2], {.score = GetParam(), .mask = mask}).backward(seed);
    return {leaves[0].grad(), leaves[1].grad(), leaves[2].grad()};
  }
};

/// Not finite where `reached`, else as without.
testing::AssertionResult reaches(const Tensor& found, const Tensor& without,
                                 const std::function<bool(std::int64_t, std::int64_t)>& reached) {
  const std::vector<float> a = found.to_vector<float>(), b = without.to_vector<float>();
  const std::int64_t width = found.size(1);
  for (std::int64_t n = 0; n < found.numel(); ++n) {
    const float x = a[static_cast<std::size_t>(n)], y = b[static_cast<std::size_t>(n)];
    const bool expected = reached(n / width, n % width);
    if (expected ? std::isfinite(x) : x != y) {
      return testing::AssertionFailure()
             << "at (" << n / width << ", " << n % width << "): " << x << ", without it " << y
             << (expected ? ", should not be finite" : "");
    }
  }
  return testing::AssertionSuccess();
}

TEST_P(NanGradients, ReachWhatTheirRowAttendsToAndNothingElse) {
  constexpr std::int64_t kColumn = 5;
  for (const std::int64_t queries : {4, 70, 600}) {
    const std::int64_t keys = queries == 70 ? 300 : queries, row = queries / 2;
    for (const Masking& m : maskings(queries, keys)) {
      for (const double poison : {kNan, kInf}) {
        SCOPED_TRACE(testing::Message() << queries << " x " << keys << ", " << poison);
        const Tensor seed = random_normal({queries, 24}, f32, 4), bad = seed.clone();
        seed.select(0, row).fill_(0.0);
        bad.select(0, row).fill_(0.0);
        bad.select(0, row).select(0, kColumn).fill_(poison);
        const std::vector<Tensor> without = gradients(queries, keys, m.mask, seed),
                                  found = gradients(queries, keys, m.mask, bad);
        EXPECT_TRUE(reaches(found[0], without[0], [&](std::int64_t i, std::int64_t) { return i == row; }));
        EXPECT_TRUE(
            reaches(found[1], without[1], [&](std::int64_t j, std::int64_t) { return m.attends(row, j); }));
        EXPECT_TRUE(reaches(found[2], without[2], [&](std::int64_t j, std::int64_t c) {
          return c == kColumn && m.attends(row, j);
        }));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, NanGradients,
                         testing::Values(Score{ScaledDot{}}, Score{Gaussian{.bandwidth = 2.0}},
                                         Score{Additive{.W_q = eye(8), .W_k = eye(8), .w_v = ones({8})}}));

}  // namespace
}  // namespace heed::test
