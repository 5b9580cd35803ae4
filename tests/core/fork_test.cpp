// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A process with threads forks: neither it nor the child may wait for ever for a lock, or for threads the child does not have.
#include "core/parallel.h"
#include "support/sanitized.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace heed::test {
namespace {

constexpr int kForks = 200;
constexpr unsigned kPatience = 20;  // seconds; a process that waits for a lock would wait for ever

/// Threads that do `work` over and over as long as this lives.
class Busy {
 public:
  template <class Work>
  explicit Busy(const Work& work) {
    for (std::thread& thread : threads_) {
      thread = std::thread([this, work] {
        while (!done_) work();
      });
    }
  }
  ~Busy() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<bool> done_{false};
  std::thread threads_[3];
};

/// Whether a child forked now comes to the end of `work`.
template <class Work>
bool child_can(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kPatience);
    work();
    ::_exit(7);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

template <class Work>
void expect_children_can(const Work& work) {
  with_threads(1, [&] {
    const Busy busy(work);
    for (int n = 0; n < kForks && !testing::Test::HasFailure(); ++n) {
      EXPECT_TRUE(child_can(work)) << "fork " << n;
    }
  });
}

class ForkWhileThreads : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer's allocator does not outlive a fork while threads allocate";
  }
};

TEST_F(ForkWhileThreads, AllocateLeavesTheChildItsMemory) {
  expect_children_can([] {
    for (int n = 0; n < 20; ++n) empty({1 << 14}, f32);
  });
}

TEST_F(ForkWhileThreads, TrainLeavesTheChildItsGradients) {
  const Tensor leaf = ones({1 << 14}).requires_grad_();
  expect_children_can([&] { (leaf * 2).backward(ones({1 << 14})); });
}

/// Each runs in a process of its own, which begins with one thread and ends with 7.
class ForkOfAProcess : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer has threads of its own";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(ForkOfAProcess, WhoseGradientDiesDoesNotWaitForTheOwner) {
  const auto program = [] {
    ::alarm(kPatience);
    std::mutex interpreter;  // as Python's: held by who forks, wanted by who lets go of an array
    std::atomic<bool> asked = false;
    float old[4] = {};
    const Tensor leaf = ones({4}).requires_grad_();
    leaf.set_grad(borrow(old, {4}, {.owner = std::shared_ptr<void>(old, [&](void*) {
                                      asked = true;
                                      const std::lock_guard lock(interpreter);
                                    })}));
    interpreter.lock();
    std::thread training([&] { sum(leaf * 2).backward(); });
    while (!asked) std::this_thread::yield();
    const bool well = child_can([&] { sum(leaf).backward(); });
    interpreter.unlock();
    training.join();
    ::_exit(well && leaf.grad().at({3}) == 2 ? 7 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(7), "");
}

/// Whether a child allowed two threads computes, and uses so many.
bool child_uses(int threads) {
  set_num_threads(2);
  return child_can([&] {
    if (sum(ones({1 << 20})).item() != 1 << 20 || usable_threads() != threads) ::_exit(1);
  });
}

TEST_F(ForkOfAProcess, ThatUsedOpenMPItselfLeavesTheChildOneThread) {
  const auto program = [] {
    std::atomic<int> members = 0;
#pragma omp parallel num_threads(2)
    ++members;
    ::_exit(members == 2 && child_uses(1) ? 7 : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(7), "");
}

TEST_F(ForkOfAProcess, OfOneThreadLeavesTheChildSeveral) {
  EXPECT_EXIT(::_exit(child_uses(2) ? 7 : 1), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace heed::test
