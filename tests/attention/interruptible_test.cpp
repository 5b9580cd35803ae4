// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Interruptible: what a poll throws leaves the call, and nothing that was there before has changed.
#include "support/interrupt.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heed::test {
namespace {

void never() {}

class Interrupting : public testing::TestWithParam<int> {
 protected:
  /// In the middle; with several threads at the start, as nobody knows how many pieces of work the first one gets.
  int soon() const { return GetParam() == 1 ? 3 : 0; }

  Tensor x = random_normal({1, 8, 200, 16}, f32);
};

TEST_P(Interrupting, EndsTheForwardCall) {
  with_threads(GetParam(), [&] {
    const Tensor expected = attend(x, x, x);
    const std::size_t held = memory_use().current;
    {
      const Interruptible interruptible(stop_after_some);
      polls_left = soon();
      EXPECT_THROW(attend(x, x, x), Stop);
      EXPECT_EQ(memory_use().current, held);
      polls_left = 1 << 30;
      EXPECT_TRUE(same_bits(attend(x, x, x), expected));
      {
        const Interruptible inner(never);
        polls_left = 0;
        EXPECT_NO_THROW(attend(x, x, x));
      }
      EXPECT_THROW(attend(x, x, x), Stop);
    }
    polls_left = 0;
    EXPECT_NO_THROW(attend(x, x, x));
  });
}

TEST_P(Interrupting, LeavesEveryGradientAsItWas) {
  with_threads(GetParam(), [&] {
    const Tensor w = random_normal({16}, f32).requires_grad_(), b = random_normal({16}, f32).requires_grad_();
    w.set_grad(ones({16}));
    // b gets its gradient before attention is reached, w after.
    const Tensor loss = sum(attend(x * w, x, x) + b);
    const Interruptible interruptible(stop_after_some);
    polls_left = soon();
    EXPECT_THROW(loss.backward(), Stop);
    EXPECT_TRUE(identical(w.grad(), ones({16})));
    EXPECT_FALSE(b.grad().defined());
  });
}
INSTANTIATE_TEST_SUITE_P(Threads, Interrupting, testing::Values(1, 3));

/// What an interrupt runs may be anything, and ask for more threads than the call has memory for.
TEST(ThreadCount, ChangesWithTheNextCallOnly) {
  const Tensor x = random_normal({1, 8, 512, 16}, f32);
  const nn::Linear linear({.in_features = 16, .out_features = 512});
  const auto all = [&] {
    const Tensor y = x.clone().requires_grad_(), few = x.slice(2, {0, 2});
    const Tensor out = attend(y, x, x);
    out.backward(x);
    return std::vector<Tensor>{out, y.grad(), attend(few, x, x), attend_with_weights(x, x, x).weights(),
                               linear(x)};
  };
  with_threads(1, [&] {
    const std::vector<Tensor> expected = all();
    const Interruptible interruptible([] { set_num_threads(9 - num_threads()); });
    for (int n = 0; n < 5; ++n) {
      const std::vector<Tensor> found = all();
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(same_bits(found[i], expected[i])) << i;
    }
  });
}

TEST(Fork, ChildOfAProcessWithThreadsComputes) {
  with_threads(3, [] {
    const Tensor x = random_normal({1, 8, 200, 16}, f32);
    const Tensor expected = attend(x, x, x);
    const pid_t child = fork();
    if (child == 0) _exit(identical(attend(x, x, x), expected) ? 7 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 7);
  });
}

}  // namespace
}  // namespace heed::test
