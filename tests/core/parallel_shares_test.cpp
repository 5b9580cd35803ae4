// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tasks in shares: each once, a worker's own first and in order, others' when that is done, small ones last.
#include "core/parallel_shares.h"

#include "support/interrupt.h"
#include "support/tasks.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <vector>

namespace heed::test {
namespace {

using Tasks = std::vector<std::int64_t>;

Tasks tasks_of(const TaskShares::Run& run) {
  Tasks tasks;
  for (std::int64_t task = run.begin; task < run.end; ++task) tasks.push_back(task);
  return tasks;
}

TEST(TaskShares, AWorkerTakesItsOwnInOrderAndThenTheLastOfWhoHasMostLeft) {
  TaskShares shares(12, 3);
  const auto take = [&](std::int64_t worker) { return tasks_of(shares.take(worker, {})); };
  EXPECT_EQ(take(1), Tasks{4});
  EXPECT_EQ(take(1), Tasks{5});
  EXPECT_EQ(take(2), Tasks{8});
  EXPECT_EQ(take(1), Tasks{6});
  EXPECT_EQ(take(1), Tasks{7});
  EXPECT_EQ(take(1), Tasks{3});  // four are left of the first share, three of the last
  EXPECT_EQ(take(0), Tasks{0});
  EXPECT_EQ(take(1), Tasks{11});  // two and three
  EXPECT_EQ(take(2), Tasks{9});
  EXPECT_EQ(take(2), Tasks{10});
  EXPECT_EQ(take(2), Tasks{2});
  EXPECT_EQ(take(0), Tasks{1});
  for (const std::int64_t worker : {0, 1, 2}) EXPECT_EQ(take(worker), Tasks{});
}

TEST(TaskShares, RunsAreHalfOfWhatIsLeftWithinTheirLimits) {
  TaskShares shares(40, 2);
  const Runs runs{.least = 3, .most = 8};
  EXPECT_EQ(tasks_of(shares.take(0, runs)).size(), 8U);
  EXPECT_EQ(tasks_of(shares.take(0, runs)).size(), 6U);
  EXPECT_EQ(tasks_of(shares.take(0, runs)), (Tasks{14, 15, 16}));
  EXPECT_EQ(tasks_of(shares.take(0, runs)), (Tasks{17, 18, 19}));
  EXPECT_EQ(tasks_of(shares.take(0, runs)), (Tasks{32, 33, 34, 35, 36, 37, 38, 39}));
}

TEST(TaskShares, FewerTasksThanWorkersLeaveSharesEmpty) {
  TaskShares shares(2, 5);
  EXPECT_EQ(tasks_of(shares.take(0, {})).size(), 1U);
  EXPECT_EQ(tasks_of(shares.take(0, {})).size(), 1U);
  EXPECT_EQ(tasks_of(shares.take(4, {})), Tasks{});
}

TEST(ParallelSharedTasks, RunsEachTaskOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    with_threads(threads, [&] {
      for (const std::int64_t count : {0, 1, 2, 7, 100}) {
        for (const std::int64_t rest : {0, 1, 9}) {
          for (const Runs runs : {Runs{}, Runs{.least = 3}, Runs{.most = 9}, Runs{.least = 2, .most = 200},
                                  Runs{.workers = 2}}) {
            expect_each_task_once(count + rest, std::min<std::int64_t>(threads, runs.workers),
                                  [&](const auto& body) {
                                    parallel_shared_tasks({count, rest}, runs, body);
                                  });
          }
        }
      }
    });
  }
}

TEST(ParallelSharedTasks, BeginsTheRestWhenAllOthersAreBegun) {
  constexpr std::int64_t kCount = 40, kRest = 7;
  with_threads(3, [] {
    std::atomic<std::int64_t> begun{0}, early{0};
    parallel_shared_tasks({kCount, kRest}, {}, [&](std::int64_t task, std::int64_t) {
      // Two others may have taken a task and not begun it.
      if (task >= kCount && begun < kCount - 2) ++early;
      ++begun;
    });
    EXPECT_EQ(early, 0);
  });
}

TEST(ParallelSharedTasks, LittleWorkStaysWithTheCaller) {
  with_threads(4, [] {
    const auto caller = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
    parallel_shared_tasks({5, 3}, {.least = 8}, [&](std::int64_t, std::int64_t) {
      if (std::this_thread::get_id() != caller) ++elsewhere;
    });
    EXPECT_EQ(elsewhere, 0);
  });
}

TEST(ParallelSharedTasks, AnInterruptedCallLeavesTheRestUndone) {
  for (const int threads : {1, 3}) {
    with_threads(threads, [] {
      const Interruptible interruptible(stop_after_some);
      polls_left = 5;
      std::atomic<int> ran{0};
      // The thread that called asks; others could do everything before it has asked often enough.
      const auto body = [&](std::int64_t, std::int64_t worker) {
        while (worker != 0 && polls_left > 0) std::this_thread::yield();
        ++ran;
      };
      EXPECT_THROW(parallel_shared_tasks({100'000, 10}, {}, body), Stop);
      EXPECT_LT(ran, 100'000);
    });
  }
}

}  // namespace
}  // namespace heed::test
