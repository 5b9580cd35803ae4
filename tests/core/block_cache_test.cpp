// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Freed blocks are kept for reuse, within bounds, and given back when asked.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace heed::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Sanitizer builds keep nothing.
bool keeps_blocks() {
  release_cached_memory();
  { const Tensor x = zeros({1 << 18}, f32); }
  return memory_use().cached > 0;
}

TEST(CachedMemory, IsReusedAndNotCountedAsHeld) {
  if (!keeps_blocks()) GTEST_SKIP() << "no cache under a sanitizer";
  release_cached_memory();
  const std::size_t before = memory_use().current;
  { const Tensor x = zeros({1 << 18}, f32); }
  EXPECT_EQ(memory_use().current, before);
  EXPECT_GE(memory_use().cached, kMiB);
  const Tensor again = zeros({1 << 18}, f32);
  EXPECT_EQ(memory_use().cached, 0U);
  EXPECT_EQ(memory_use().current, before + kMiB);
}

TEST(CachedMemory, StaysWithinBoundsAndGoesWhenAsked) {
  {
    std::vector<Tensor> many;
    many.reserve(1000);
    for (int n = 0; n < 200; ++n) many.push_back(zeros({(n % 7 + 1) << 17}, f32));
  }
  EXPECT_LE(memory_use().cached, 64 * kMiB);
  release_cached_memory();
  EXPECT_EQ(memory_use().cached, 0U);
}

TEST(CachedMemory, OfSmallBlocksIsReusedWithinBounds) {
  if (!keeps_blocks()) GTEST_SKIP() << "no cache under a sanitizer";
  release_cached_memory();
  const void* first = nullptr;
  {
    const Tensor x = zeros({700}, f32);
    first = x.data<float>();
  }
  EXPECT_GE(memory_use().cached, 2800U);
  {
    // Of the same size, and of one that is rounded to it.
    const Tensor x = zeros({690}, f32);
    EXPECT_EQ(x.data<float>(), first);
  }
  {
    std::vector<Tensor> many;
    many.reserve(1000);
    for (int n = 0; n < 1000; ++n) many.push_back(zeros({(n % 31 + 1) << 8}, f32));
  }
  EXPECT_LE(memory_use().cached, 2 * kMiB);
  EXPECT_GT(memory_use().cached, kMiB);
  release_cached_memory();
  EXPECT_EQ(memory_use().cached, 0U);
}

TEST(CachedMemory, OfSmallBlocksMakesRoomForTheSizesInUse) {
  if (!keeps_blocks()) GTEST_SKIP() << "no cache under a sanitizer";
  const auto many = [](int count, std::int64_t elements) {
    std::vector<Tensor> held(static_cast<std::size_t>(count));
    for (Tensor& x : held) x = empty({elements}, f32);
    return held;
  };
  release_cached_memory();
  many(600, 1024);
  many(40000, 4);
  EXPECT_LE(memory_use().cached, 2 * kMiB);
  EXPECT_GT(memory_use().cached, 2 * kMiB - 4096);
  {
    const auto held = many(40000, 4);
    EXPECT_EQ(memory_use().cached, 0U);
  }
  // A block as large as many small ones.
  many(1, 16000);
  EXPECT_LE(memory_use().cached, 2 * kMiB);
  const std::size_t before = memory_use().cached;
  const auto held = many(1, 16000);
  EXPECT_EQ(memory_use().cached, before - 65536);
}

TEST(CachedMemory, OfSmallBlocksComesBackToTheLast) {
  if (!keeps_blocks()) GTEST_SKIP() << "no cache under a sanitizer";
  const auto addresses_of_ten = [] {
    std::vector<Tensor> held;
    held.reserve(10);
    std::set<const void*> addresses;
    for (int n = 0; n < 10; ++n) held.push_back(zeros({500}, f32));
    for (const Tensor& x : held) addresses.insert(x.data<float>());
    return addresses;
  };
  release_cached_memory();
  const std::set<const void*> before = addresses_of_ten();
  EXPECT_EQ(before.size(), 10U);
  EXPECT_EQ(addresses_of_ten(), before);
}

TEST(CachedMemory, OfSmallBlocksIsSafeFromManyThreads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::atomic<int> wrong = 0;
  for (int t = 1; t <= 4; ++t) {
    threads.emplace_back([t, &wrong] {
      std::vector<Tensor> held;
      for (int n = 0; n < 4000; ++n) {
        held.push_back(full({n % 200 + 1}, t, f32));
        if (held.size() < 50) continue;
        for (const Tensor& x : {held.front(), held.back()}) {
          const float* data = x.data<float>();
          if (std::count(data, data + x.numel(), static_cast<float>(t)) != x.numel()) ++wrong;
        }
        held.erase(held.begin());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CachedMemory, OfSmallBlocksIsNeverSharedByTwo) {
  // Freed in another order than made, all sizes around every edge; what each holds must stay.
  std::vector<Tensor> held;
  for (int round = 0; round < 3; ++round) {
    for (std::int64_t n = 1; n <= 17000; n += n < 300 ? 1 : n / 30) {
      held.push_back(full({n}, static_cast<double>(n), f32));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.back().data<float>()) % 64, 0U);
      if (n % 3 == 0) held.erase(held.begin() + static_cast<std::ptrdiff_t>(held.size() / 2));
    }
  }
  for (const Tensor& x : held) {
    const auto n = static_cast<double>(x.numel());
    ASSERT_EQ(sum(x.to(f64)).item(), n * n);
  }
}

TEST(CachedMemory, DoesNotCountTowardsTheLimit) {
  { const Tensor x = zeros({4 << 18}, f32); }
  set_memory_limit(memory_use().current + 5 * kMiB);
  EXPECT_NO_THROW(zeros({4 << 18}, f32));
  EXPECT_NO_THROW(zeros({3 << 18}, f32));
  EXPECT_THROW(zeros({6 << 18}, f32), Error);
  set_memory_limit(0);
}

TEST(CachedMemory, OfOddSizesIsWholeAndAligned) {
  for (const std::int64_t n : {16384, 16385, 20000, 99999, 262143, 262145, 1000003}) {
    for (int round = 0; round < 2; ++round) {
      const Tensor x = full({n}, 3.0, f32);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data<float>()) % 64, 0U);
      EXPECT_EQ(sum(x.to(f64)).item(), 3.0 * static_cast<double>(n));
    }
  }
}

}  // namespace
}  // namespace heed::test
