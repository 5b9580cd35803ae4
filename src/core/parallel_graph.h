// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tasks of which some must wait for others, shared out over OpenMP's threads.
#pragma once

#include "core/parallel.h"

#include <concepts>
#include <cstddef>
#include <vector>

namespace heed {

/// What tasks 0, 1, ... say of themselves. Cores may differ in speed by a factor of two, and nobody knows which are slow: what
/// others wait for longest comes first, or all would wait for it in the end.
template <class Tasks>
concept GraphTasks = requires(const Tasks& tasks, std::int64_t n, bool (*done)(std::int64_t)) {
  { tasks.count() } -> std::convertible_to<std::int64_t>;
  /// A task begins at most so many after the first that nobody has begun.
  { tasks.window() } -> std::convertible_to<std::int64_t>;
  /// Whether it may begin; done(m) may be asked of tasks before it alone.
  { tasks.ready(n, done) } -> std::convertible_to<bool>;
  /// From 0 on: the lower, the more is still to come after it.
  { tasks.rank(n) } -> std::convertible_to<std::int64_t>;
  /// The task that needs what this one has near, which its worker goes on with unless another one's rank is lower by more than
  /// slack(). -1: none.
  { tasks.next(n) } -> std::convertible_to<std::int64_t>;
  { tasks.slack() } -> std::convertible_to<std::int64_t>;
};

/// Which tasks are begun and done.
template <class Tasks>
class TaskGraph {
 public:
  explicit TaskGraph(const Tasks& tasks) : tasks_(tasks), states_(static_cast<std::size_t>(tasks.count())) {}

  static constexpr std::int64_t kNone = -1;

  /// A task that is ready, which is then the caller's, who has finished `last`; or none. Of equals the first from `start` on.
  std::int64_t claim(std::int64_t last, std::int64_t start) {
    const std::int64_t wanted = last == kNone ? kNone : tasks_.next(last), best = most_urgent(start);
    const bool near = wanted != kNone && may_begin(wanted) &&
                      (best == kNone || tasks_.rank(wanted) <= tasks_.rank(best) + tasks_.slack());
    if (near && begin(wanted)) return wanted;
    return best != kNone && begin(best) ? best : kNone;
  }
  void finish(std::int64_t task) { state(task).store(kDone, std::memory_order_release); }
  bool all_begun() const { return first_.load(std::memory_order_relaxed) == tasks_.count(); }

 private:
  enum State : std::uint8_t { kFree, kBegun, kDone };
  std::atomic<State>& state(std::int64_t task) { return states_[static_cast<std::size_t>(task)]; }

  bool may_begin(std::int64_t task) {
    return state(task).load(std::memory_order_relaxed) == kFree &&
           tasks_.ready(task, [this](std::int64_t other) {
             return state(other).load(std::memory_order_acquire) == kDone;
           });
  }
  bool begin(std::int64_t task) {
    State free = kFree;
    return state(task).compare_exchange_strong(free, kBegun, std::memory_order_acq_rel);
  }

  std::int64_t most_urgent(std::int64_t start) {
    const std::int64_t before = first_.load(std::memory_order_relaxed);
    std::int64_t first = before, best = kNone;
    while (first < tasks_.count() && state(first).load(std::memory_order_relaxed) != kFree) ++first;
    // Others may have put it further on meanwhile: it is only where to begin looking. Those who wait do not write.
    if (first != before) first_.store(first, std::memory_order_relaxed);
    const std::int64_t end = std::min<std::int64_t>(tasks_.count(), first + tasks_.window());
    const std::int64_t middle = std::clamp(start, first, end);
    const auto look = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t task = from; task < to; ++task) {
        if (best != kNone && tasks_.rank(best) == 0) return;
        if ((best == kNone || tasks_.rank(task) < tasks_.rank(best)) && may_begin(task)) best = task;
      }
    };
    look(middle, end);
    look(first, middle);
    return best;
  }

  const Tasks& tasks_;
  std::atomic<std::int64_t> first_{0};
  std::vector<std::atomic<State>> states_;
};

/// body(task, worker) for every task when it is ready; worker < min(count, usable_threads()). A call that is interrupted throws
/// after the last worker's task; body must not throw.
template <GraphTasks Tasks, class Body>
void parallel_graph(const Tasks& tasks, const Body& body) {
  with_checkpoint([&](Checkpoint& checkpoint) {
    using Graph = TaskGraph<Tasks>;
    Graph graph(tasks);
    const int threads = usable_threads();
#pragma omp parallel num_threads(threads)
    {
      const std::int64_t worker = omp_get_thread_num();
      // Its share of the tasks begins there: the same in every call, so that it often has near what it needs.
      const std::int64_t start = tasks.count() * worker / threads;
      std::int64_t last = Graph::kNone;
      while (worker < tasks.count() && checkpoint.pass(worker)) {
        const std::int64_t task = graph.claim(last, start);
        if (task != Graph::kNone) {
          body(task, worker);
          graph.finish(task);
          last = task;
        } else if (graph.all_begun()) {
          break;
        } else {
          std::this_thread::yield();
        }
      }
    }
  });
}

}  // namespace heed
