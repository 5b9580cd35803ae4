// Tasks of which some must wait for others, shared out over OpenMP's threads.
#pragma once

#include "core/parallel.h"

#include <cstddef>
#include <vector>

namespace heed {

/// Which of `count` tasks are done; at most so many lie between the first that nobody has begun and one that may begin.
class TaskGraph {
 public:
  TaskGraph(std::int64_t count, std::int64_t window)
      : count_(count), window_(window), states_(static_cast<std::size_t>(count)) {}

  bool done(std::int64_t task) const { return state(task).load(std::memory_order_acquire) == kDone; }
  void finish(std::int64_t task) { state(task).store(kDone, std::memory_order_release); }

  static constexpr std::int64_t kNoneReady = -1, kNoneLeft = -2;

  /// A task that is ready, which is then the caller's: the wanted one, else the first.
  template <class Ready>
  std::int64_t claim(std::int64_t wanted, const Ready& ready) {
    if (wanted < count_ && claim_this(wanted, ready)) return wanted;
    std::int64_t first = first_.load(std::memory_order_relaxed);
    while (first < count_ && state(first).load(std::memory_order_relaxed) != kFree) ++first;
    // Another worker may have put it further on meanwhile, or puts it back a little: it is only where to begin looking.
    first_.store(first, std::memory_order_relaxed);
    if (first == count_) return kNoneLeft;
    const std::int64_t end = std::min(count_, first + window_);
    for (std::int64_t task = first; task < end; ++task) {
      if (claim_this(task, ready)) return task;
    }
    return kNoneReady;
  }

 private:
  enum State : std::uint8_t { kFree, kBegun, kDone };

  template <class Ready>
  bool claim_this(std::int64_t task, const Ready& ready) {
    State free = kFree;
    return state(task).load(std::memory_order_relaxed) == kFree && ready(task) &&
           state(task).compare_exchange_strong(free, kBegun, std::memory_order_acq_rel);
  }
  std::atomic<State>& state(std::int64_t task) { return states_[static_cast<std::size_t>(task)]; }
  const std::atomic<State>& state(std::int64_t task) const { return states_[static_cast<std::size_t>(task)]; }

  std::int64_t count_, window_;
  std::atomic<std::int64_t> first_{0};
  std::vector<std::atomic<State>> states_;
};

/// body(task, worker) for every task of [0, count), each when ready(task, done) says so, which may ask done(n) of tasks before
/// it alone. A worker goes on with next(task) where it can, which needs what the task has near; else it takes the first task that
/// is ready, at most `window` after the first that nobody has begun. A call that is
/// interrupted throws after the last worker's task; body must not throw. worker < min(count, usable_threads()).
template <class Ready, class Next, class Body>
void parallel_graph(std::int64_t count, std::int64_t window, const Ready& ready, const Next& next,
                    const Body& body) {
  Checkpoint checkpoint;
  if (!checkpoint.pass(0)) return checkpoint.finish();
  TaskGraph graph(count, window);
  const auto may_begin = [&](std::int64_t task) {
    return ready(task, [&](std::int64_t other) { return graph.done(other); });
  };
  const int threads = usable_threads();
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t worker = omp_get_thread_num();
    std::int64_t task = worker < count ? 0 : TaskGraph::kNoneLeft, wanted = 0;
    while (task != TaskGraph::kNoneLeft && checkpoint.pass(worker)) {
      task = graph.claim(wanted, may_begin);
      if (task >= 0) {
        body(task, worker);
        graph.finish(task);
        wanted = next(task);
      } else if (task == TaskGraph::kNoneReady) {
        std::this_thread::yield();
      }
    }
  }
  checkpoint.finish();
}

}  // namespace heed
