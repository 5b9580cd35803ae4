// A process forks while its threads hold the library's locks: the child must not find one held for ever.
#include "support/sanitized.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace heed::test {
namespace {

constexpr int kForks = 200;
constexpr unsigned kPatience = 20;  // seconds; a child that waits for a lock would wait for ever

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

template <class Work>
void expect_children_can(const Work& work) {
  with_threads(1, [&] {
    const Busy busy(work);
    for (int n = 0; n < kForks && !testing::Test::HasFailure(); ++n) {
      const pid_t child = ::fork();
      if (child == 0) {
        ::alarm(kPatience);
        work();
        ::_exit(7);
      }
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << "fork " << n << ": status " << status;
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

}  // namespace
}  // namespace heed::test
