// Tasks that wait for others: each runs once, when it is ready, and a worker goes on with the one it wants.
#include "core/parallel_graph.h"

#include "support/interrupt.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

/// A grid of tasks: each comes after the one left of it and the one above it.
struct Grid {
  std::int64_t rows, columns;
  std::int64_t count() const { return rows * columns; }
  template <class Done>
  bool ready(std::int64_t task, const Done& done) const {
    return (task < columns || done(task - columns)) && (task % columns == 0 || done(task - 1));
  }
  std::int64_t below(std::int64_t task) const { return task + columns < count() ? task + columns : 0; }
};

TEST(ParallelGraph, RunsEachTaskOnceAndAfterThoseItWaitsFor) {
  for (const int threads : {1, 2, 3, 8}) {
    with_threads(threads, [&] {
      for (const Grid grid : {Grid{0, 1}, Grid{1, 1}, Grid{1, 9}, Grid{9, 1}, Grid{12, 17}}) {
        for (const std::int64_t window : {std::int64_t{1}, std::int64_t{20}, grid.count() + 1}) {
          std::vector<std::atomic<int>> times(static_cast<std::size_t>(grid.count()));
          std::atomic<int> early{0}, strangers{0};
          const auto ran = [&](std::int64_t task) { return times[static_cast<std::size_t>(task)] == 1; };
          parallel_graph(
              grid.count(), window,
              [&](std::int64_t task, const auto& done) { return grid.ready(task, done); },
              [&](std::int64_t task) { return grid.below(task); },
              [&](std::int64_t task, std::int64_t worker) {
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
    });
  }
}

TEST(ParallelGraph, AWorkerGoesOnWithWhatItWants) {
  const Grid grid{3, 4};
  std::vector<std::int64_t> order;
  with_threads(1, [&] {
    parallel_graph(
        grid.count(), grid.count(), [](std::int64_t, const auto&) { return true; },
        [&](std::int64_t task) { return grid.below(task); },
        [&](std::int64_t task, std::int64_t) { order.push_back(task); });
  });
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
}

TEST(ParallelGraph, AnInterruptedCallDoesNotWaitForWhatWillNeverBeReady) {
  with_threads(3, [] {
    const Interruptible interruptible(stop_after_some);
    polls_left = 50;
    std::atomic<int> ran{0};
    EXPECT_THROW(
        parallel_graph(
            100, 100, [](std::int64_t task, const auto&) { return task < 2; },
            [](std::int64_t) { return std::int64_t{0}; }, [&](std::int64_t, std::int64_t) { ++ran; }),
        Stop);
    EXPECT_LE(ran, 2);
  });
}

}  // namespace
}  // namespace heed::test
