// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How tasks are handed out: each once, in order, when they are ready, and no further when a call is interrupted.
#include "core/parallel.h"

#include "support/interrupt.h"
#include "support/tasks.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <vector>

namespace heed::test {
namespace {

TEST(ParallelTasks, RunsEachTaskOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    with_threads(threads, [&] {
      for (const std::int64_t count : {0, 1, 2, 7, 100}) {
        for (const Runs runs :
             {Runs{}, Runs{.least = 3}, Runs{.most = 9}, Runs{.least = 2, .most = 200}, Runs{.workers = 2}}) {
          expect_each_task_once(count, std::min<std::int64_t>(threads, runs.workers),
                                [&](const auto& body) { parallel_tasks(count, runs, body); });
        }
      }
    });
  }
}

TEST(ParallelTasks, StartsNoTaskThatIsNotReady) {
  constexpr std::int64_t kCount = 200;
  for (const int threads : {1, 3, 8}) {
    with_threads(threads, [] {
      std::vector<std::atomic<bool>> done(kCount);
      std::atomic<int> early{0};
      // A task needs the one three before it.
      const auto ready = [&](std::int64_t task) {
        return task < 3 || done[static_cast<std::size_t>(task - 3)].load();
      };
      parallel_tasks(kCount, Runs{.most = 2}, ready, [&](std::int64_t task, std::int64_t) {
        if (!ready(task)) ++early;
        done[static_cast<std::size_t>(task)] = true;
      });
      EXPECT_EQ(early, 0);
      for (const std::atomic<bool>& one : done) EXPECT_TRUE(one);
    });
  }
}

TEST(ParallelTasks, AnInterruptedCallDoesNotWaitForWhatWillNeverBeReady) {
  with_threads(3, [] {
    const Interruptible interruptible(stop_after_some);
    polls_left = 50;
    std::atomic<int> ran{0};
    const auto ready = [](std::int64_t task) { return task < 2; };
    EXPECT_THROW(parallel_tasks(100, Runs{}, ready, [&](std::int64_t, std::int64_t) { ++ran; }), Stop);
    EXPECT_LE(ran, 2);
  });
}

}  // namespace
}  // namespace heed::test
