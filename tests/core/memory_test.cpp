// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What is allocated is counted, limited and given back.
#include "support/errors.h"
#include "support/sanitized.h"
#include "support/tensors.h"

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace heed::test {
namespace {

class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) { set_memory_limit(bytes); }
  ~MemoryLimit() { set_memory_limit(0); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

TEST(Memory, IsCountedAndGivenBack) {
  const std::size_t before = memory_use().current;
  reset_peak_memory();
  {
    const Tensor x = zeros({1000});
    const Tensor view = x.reshape({10, 100});
    EXPECT_EQ(memory_use().current, before + 4000);
  }
  EXPECT_EQ(memory_use().current, before);
  EXPECT_EQ(memory_use().peak, before + 4000);
}

TEST(Memory, ALimitIsAnErrorAndChangesNothing) {
  const std::size_t before = memory_use().current;
  const Tensor x = ones({100, 100});
  {
    const MemoryLimit limit(memory_use().current + 1000);
    expect_errors({
        {[] { zeros({1000}); }, "allocate: memory limit of"},
        {[&] { exp(x); }, "memory limit"},
        {[&] { matmul(x, x); }, "memory limit"},
        {[&] { softmax(x.transpose(0, 1)); }, "memory limit"},
        {[&] { x.transpose(0, 1).clone(); }, "memory limit"},
    });
    EXPECT_EQ(memory_use().current, before + 40000);
    EXPECT_EQ(sum(x).item(), 10000);  // small results still fit
  }
  EXPECT_EQ(exp(x).numel(), 10000);
}

#if defined(__x86_64__) && defined(__linux__)
/// Looks at the memory in use after every instruction of this thread, as another might.
class Steps {
 public:
  Steps() {
    struct sigaction action = {};
    action.sa_sigaction = after_instruction;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGTRAP, &action, &previous_);
    most = 0;
    stepping = true;
    ::raise(SIGTRAP);
  }
  ~Steps() {
    stepping = false;
    ::sigaction(SIGTRAP, &previous_, nullptr);
  }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  static inline std::size_t most = 0;

 private:
  static void after_instruction(int, siginfo_t*, void* context) {
    constexpr greg_t kTrapFlag = 0x100;
    most = std::max(most, memory_use().current);
    greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
    flags = stepping ? flags | kTrapFlag : flags & ~kTrapFlag;
  }

  static inline volatile sig_atomic_t stepping = false;
  struct sigaction previous_ = {};
};

TEST(Memory, WhatIsRefusedIsInNobodysWay) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer holds signals back";
  const std::size_t before = memory_use().current;
  const MemoryLimit limit(before + 1000);
  const auto ask = [] { expect_error([] { empty({1000}, f32); }, "memory limit"); };
  ask();  // what a first error takes is not worth the steps
  {
    const Steps steps;
    ask();
  }
  EXPECT_EQ(Steps::most, before);
}
#endif

TEST(Memory, TheWorkspaceOfALongSumIsLimitedToo) {
  const Tensor x = ones({1 << 20});
  const MemoryLimit limit(memory_use().current + 16);
  expect_error([&] { with_threads(2, [&] { return sum(x); }); }, "memory limit");
}

TEST(Memory, MoreThanThereIsIsAnError) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer ends the process where there is no memory";
  expect_error([] { empty({std::int64_t{1} << 46}, f64); }, "allocate: out of memory: 562949953421312 bytes");
}

TEST(Memory, AFailedBackwardLeavesTheLibraryUsable) {
  const Tensor x = ones({100, 100}).requires_grad_();
  const Tensor y = sum(exp(x) * x);
  {
    const MemoryLimit limit(memory_use().current + 1000);
    expect_error([&] { y.backward_retaining_graph(); }, "memory limit");
  }
  y.backward();
  EXPECT_NEAR(x.grad().at({0, 0}), 2 * std::exp(1.0), 1e-5);
}

}  // namespace
}  // namespace heed::test
