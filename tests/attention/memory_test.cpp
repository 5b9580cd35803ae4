// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Memory stays linear in Lq + Lk: what the counting allocator saw, at sizes whose full matrix of weights would take 3.6 GB.
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

constexpr std::int64_t kRows = 30000, kWidth = 2;
constexpr std::size_t kMiB = std::size_t{1} << 20;

/// The most memory held beside what was there before, during forward and backward.
std::size_t peak_of(const Tensor& x, const AttendOptions& options) {
  release_cached_memory();
  reset_peak_memory();
  const std::size_t before = memory_use().current;
  const Tensor q = x.clone().requires_grad_(), k = x.clone().requires_grad_(), v = x.clone().requires_grad_();
  sum(attend(q, k, v, options)).backward();
  return memory_use().peak - before;
}

TEST(Memory, StaysLinearForEveryScore) {
  // A window keeps the time down; what is allocated does not depend on it.
  const Mask band = window({.left = 64, .right = 64});
  const Tensor x = normal({kRows, kWidth}), W = normal({4, kWidth}), w = normal({4});
  const Score scores[] = {ScaledDot{}, Dot{}, Gaussian{}, Additive{.W_q = W, .W_k = W, .w_v = w}};
  for (const Score& score : scores) {
    const std::size_t peak = peak_of(x, {.score = score, .mask = band});
    EXPECT_LT(peak, 32 * kMiB) << "score " << score.index() << " took " << peak / kMiB << " MiB";
    EXPECT_LT(peak_of(x, {.score = score, .mask = band, .softcap = 5.0, .dropout = 0.1}), 32 * kMiB);
  }
}

TEST(Memory, IsSmallWhereDenseOnesRunOut) {
  const Mask band = window({.left = 64, .right = 64});
  // All hidden units of all pairs at once would take 16 GiB, weights of all pairs 37 GiB.
  const Tensor W = normal({64, 64}), w = normal({64});
  for (const int threads : {1, 2, 16}) {
    with_threads(threads, [&] {
      EXPECT_LT(peak_of(normal({8192, 64}), {.score = Additive{.W_q = W, .W_k = W, .w_v = w}, .mask = band}),
                64 * kMiB)
          << threads;
      EXPECT_LT(peak_of(normal({100000, 1}), {.score = Gaussian{.bandwidth = 0.1}, .mask = band}), 64 * kMiB)
          << threads;
    });
  }
}

TEST(Memory, GrowsWithTheLengthAndNotWithItsSquare) {
  const auto peak = [](std::int64_t n) {
    return peak_of(normal({n, kWidth}), {.mask = window({.left = 64, .right = 64})});
  };
  const std::size_t half = peak(kRows / 2), whole = peak(kRows);
  EXPECT_LT(whole, 2 * half + 4 * kMiB);
}

}  // namespace
}  // namespace heed::test
