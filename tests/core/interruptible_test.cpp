// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Interruptible beyond attention: what a poll throws ends the call, whatever it does, and nothing that was there before has
// changed.
#include "support/files.h"
#include "support/interrupt.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <functional>

namespace heed::test {
namespace {

/// That the call ends early, asked once or a few times; and that it comes to its end if nobody stops it.
void expect_interruptible(const std::function<void()>& call) {
  const std::size_t held = memory_use().current;
  const Interruptible interruptible(stop_after_some);
  for (const int polls : {0, 2}) {
    polls_left = polls;
    EXPECT_THROW(call(), Stop) << polls;
    EXPECT_EQ(memory_use().current, held);
  }
  polls_left = 1 << 30;
  EXPECT_NO_THROW(call());
}

TEST(InterruptibleCall, MatrixProduct) {
  const Tensor x = random_normal({700, 700}, f32), many = random_normal({20000, 8, 8}, f32);
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] {
      polls_left = 0;
      const Interruptible interruptible(stop_after_some);
      EXPECT_THROW(matmul(x, x), Stop);
      polls_left = 0;
      EXPECT_THROW(matmul(many, many), Stop);
    });
  }
  with_threads(1, [&] {
    expect_interruptible([&] { matmul(x, x); });
    expect_interruptible([&] { matmul(many, many); });
  });
}

TEST(InterruptibleCall, LinearLayer) {
  // Weights as they lie and, in the backward, the other way round; several panels, and more rows than one task has.
  const nn::Linear linear({.in_features = 40, .out_features = 300});
  const Tensor x = random_normal({13000, 40}, f32).requires_grad_();
  const Tensor out = linear(x), seed = random_normal({13000, 300}, f32);
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] {
      const Interruptible interruptible(stop_after_some);
      polls_left = 0;
      EXPECT_THROW(linear(x), Stop);
      polls_left = 1;  // one is asked before each step of the backward
      EXPECT_THROW(out.backward(seed), Stop);
    });
  }
  with_threads(1, [&] { expect_interruptible([&] { linear(x); }); });
}

TEST(InterruptibleCall, RandomNumbers) {
  with_threads(1, [] { expect_interruptible([] { normal({1 << 16}); }); });
}

TEST(InterruptibleCall, BackwardWithoutAttention) {
  const Tensor x = random_normal({4}, f64).requires_grad_();
  x.set_grad(ones({4}, f64));
  const Tensor y = sum(exp(sin(x * 2)));
  const Interruptible interruptible(stop_after_some);
  polls_left = 2;
  EXPECT_THROW(y.backward_retaining_graph(), Stop);
  EXPECT_TRUE(identical(x.grad(), ones({4}, f64)));
  polls_left = 1 << 30;
  EXPECT_NO_THROW(y.backward());
}

TEST(InterruptibleCall, Files) {
  const Folder folder;
  const Tensor x = random_normal({30, 2000}, f64), old = ones({1, 1}, f64);
  for (const char* name : {"x.npy", "x.npz", "x.csv", "x.safetensors"}) {
    const std::string path = folder / name;
    save(path, old);
    {
      const Interruptible interruptible(stop_after_some);
      polls_left = 2;
      EXPECT_THROW(save(path, x), Stop) << name;
    }
    EXPECT_TRUE(identical(load(path), old)) << name;
    save(path, x);
    const Interruptible interruptible(stop_after_some);
    polls_left = 0;
    EXPECT_THROW(load(path), Stop) << name;
  }
  EXPECT_EQ(folder.count(), 4);
}

TEST(InterruptibleCall, RowsOfATable) {
  const Folder folder;
  const std::string path = folder / "x.csv";
  save(path, ones({5000, 1}));
  expect_interruptible([&] { load(path); });
}

TEST(InterruptibleCall, Pictures) {
  const viz::Heatmap heatmap{.values = random_normal({2, 2, 3, 3}, f32)};
  expect_interruptible([&] { viz::text(heatmap); });
  expect_interruptible([&] { viz::svg(heatmap); });
  // One number is asked about three times; then gnuplot draws, which takes longer than a look or two.
  const Interruptible interruptible(stop_after_some);
  polls_left = 4;
  EXPECT_THROW(viz::svg(viz::Heatmap{.values = ones({1, 1})}), Stop);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "gnuplot is still there";
}

}  // namespace
}  // namespace heed::test
