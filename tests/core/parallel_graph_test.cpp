// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tasks that wait for others: each runs once, when it is ready, and a worker goes on with the one it wants.
#include "core/parallel_graph.h"

#include "support/interrupt.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

/// A grid of tasks: each comes after the one left of it and the one above it.
struct Grid {
  std::int64_t rows, columns, at_once = 1000, patience = 0;
  std::int64_t count() const { return rows * columns; }
  std::int64_t window() const { return at_once; }
  template <class Done>
  bool ready(std::int64_t task, const Done& done) const {
    return (task < columns || done(task - columns)) && (task % columns == 0 || done(task - 1));
  }
  std::int64_t rank(std::int64_t task) const { return task / columns + task % columns; }
  std::int64_t next(std::int64_t task) const { return task + columns < count() ? task + columns : -1; }
  std::int64_t slack() const { return patience; }
};

TEST(ParallelGraph, RunsEachTaskOnceAndAfterThoseItWaitsFor) {
  for (const int threads : {1, 2, 3, 8}) {
    with_threads(threads, [&] {
      for (Grid grid : {Grid{0, 1}, Grid{1, 1}, Grid{1, 9}, Grid{9, 1}, Grid{12, 17}}) {
        for (grid.at_once = 1; grid.at_once < 400; grid.at_once *= 20) {
          for (const std::int64_t patience : {0, 3, 100}) {
            grid.patience = patience;
            std::vector<std::atomic<int>> times(static_cast<std::size_t>(grid.count()));
            std::atomic<int> early{0}, strangers{0};
            const auto ran = [&](std::int64_t task) { return times[static_cast<std::size_t>(task)] == 1; };
            parallel_graph(grid, [&](std::int64_t task, std::int64_t worker) {
              if (worker < 0 || worker >= std::min<std::int64_t>(threads, grid.count())) ++strangers;
              if (!grid.ready(task, ran)) ++early;
              ++times[static_cast<std::size_t>(task)];
            });
            EXPECT_EQ(early, 0);
            EXPECT_EQ(strangers, 0);
            for (const std::atomic<int>& n : times)
              EXPECT_EQ(n, 1) << grid.rows << " x " << grid.columns << ", " << threads << " threads";
          }
        }
      }
    });
  }
}

/// Rows that do not wait for each other.
struct Lines : Grid {
  template <class Done>
  bool ready(std::int64_t task, const Done& done) const {
    return task % columns == 0 || done(task - 1);
  }
  std::int64_t rank(std::int64_t task) const { return task % columns; }
};

TEST(ParallelGraph, OfEqualTasksAWorkerTakesTheFirstOfItsShare) {
  const Lines lines{{.rows = 4, .columns = 3}};
  TaskGraph<Lines> graph(lines);
  constexpr std::int64_t kNone = TaskGraph<Lines>::kNone;
  EXPECT_EQ(graph.claim(kNone, 6), 6);
  EXPECT_EQ(graph.claim(kNone, 6), 9);
  EXPECT_EQ(graph.claim(kNone, 6), 0);
  EXPECT_EQ(graph.claim(kNone, 12), 3);
  EXPECT_EQ(graph.claim(kNone, 6), kNone);
  graph.finish(0);
  EXPECT_EQ(graph.claim(kNone, 6), 1);
}

std::vector<std::int64_t> order_of(const Grid& grid) {
  std::vector<std::int64_t> order;
  with_threads(
      1, [&] { parallel_graph(grid, [&](std::int64_t task, std::int64_t) { order.push_back(task); }); });
  return order;
}

TEST(ParallelGraph, AWorkerGoesOnWithWhatIsNearUnlessSomethingIsMoreUrgent) {
  using Order = std::vector<std::int64_t>;
  EXPECT_EQ(order_of({.rows = 3, .columns = 3, .patience = 9}), (Order{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(order_of({.rows = 3, .columns = 3, .patience = 0}), (Order{0, 3, 1, 4, 2, 6, 5, 7, 8}));
}

/// Two tasks that may begin, and many that never will.
struct Stuck {
  std::int64_t count() const { return 100; }
  std::int64_t window() const { return 100; }
  template <class Done>
  bool ready(std::int64_t task, const Done&) const {
    return task < 2;
  }
  std::int64_t rank(std::int64_t) const { return 1; }
  std::int64_t next(std::int64_t) const { return -1; }
  std::int64_t slack() const { return 0; }
};

TEST(ParallelGraph, AnInterruptedCallDoesNotWaitForWhatWillNeverBeReady) {
  with_threads(3, [] {
    const Interruptible interruptible(stop_after_some);
    polls_left = 50;
    std::atomic<int> ran{0};
    EXPECT_THROW(parallel_graph(Stuck{}, [&](std::int64_t, std::int64_t) { ++ran; }), Stop);
    EXPECT_LE(ran, 2);
  });
}

}  // namespace
}  // namespace heed::test
