// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Splits independent work over OpenMP's threads. What is computed never depends on how it is split.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <thread>

namespace heed {

/// Threads a kernel may use here: 1 inside a caller's parallel region, so that nothing oversubscribes.
int usable_threads() noexcept;

/// While one lives, usable_threads() stays as it is for the thread that made it, whatever set_num_threads() is told meanwhile,
/// by another thread or by what an interrupt runs: memory for every worker is then enough for all that come.
class HeldThreads {
 public:
  HeldThreads() noexcept;
  ~HeldThreads();
  HeldThreads(const HeldThreads&) = delete;
  HeldThreads& operator=(const HeldThreads&) = delete;

 private:
  int previous_;
};

/// Where the work of a call can be ended early; see Interruptible.
class Checkpoint {
 public:
  /// Asks the poll, if worker is 0: the thread that called. False once the rest of the work is to be skipped.
  bool pass(std::int64_t worker) noexcept {
    if (poll_ == nullptr) return true;
    if (worker == 0) ask();
    return !stopped_.load(std::memory_order_relaxed);
  }

 private:
  template <class Work>
  friend void with_checkpoint(const Work& work);

  Checkpoint() noexcept;
  void ask() noexcept;

  void (*poll_)();
  std::atomic<bool> stopped_{false};
  std::exception_ptr thrown_;
};

/// work(checkpoint), unless the poll ends the call first: other threads might do all of it before the one that called is asked
/// again. Throws what the poll threw when work has returned, for which all workers must be done.
template <class Work>
void with_checkpoint(const Work& work) {
  Checkpoint checkpoint;
  if (checkpoint.pass(0)) work(checkpoint);
  if (checkpoint.thrown_) std::rethrow_exception(checkpoint.thrown_);
}

/// For a thread on its own, between steps: asks its poll, and throws what that throws. Not where something would be left
/// half-written.
void poll_interrupt();

/// body(begin, end) over [0, count) in pieces of at least `grain`; body must not throw. The thread that called gets the
/// piece that begins at 0.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, const Body& body) {
  if (count <= 0) return;
  const std::int64_t pieces = std::min<std::int64_t>((count + grain - 1) / grain, usable_threads());
  if (pieces <= 1) {
    body(std::int64_t{0}, count);
    return;
  }
  // Always the whole team, though some of it may have nothing to do: a team that shrinks and grows starts threads anew.
  const int threads = usable_threads();
#pragma omp parallel num_threads(threads)
  {
    // The runtime may grant fewer threads than asked for, so the share is cut by what is there.
    const std::int64_t team = std::min<std::int64_t>(omp_get_num_threads(), pieces);
    const std::int64_t id = omp_get_thread_num();
    if (id < team) {
      const std::int64_t begin = count * id / team;
      const std::int64_t end = count * (id + 1) / team;
      if (begin < end) body(begin, end);
    }
  }
}

/// How many tasks are handed out at a time: `least`, or where they come from shares up to `most` while there are many left.
struct Runs {
  std::int64_t least = 1, most = 1;
  /// More than these would find nothing to do.
  std::int64_t workers = std::numeric_limits<std::int64_t>::max();
};

/// body(begin, end, worker) over [0, count) in the smallest such runs, handed out in order as workers become free; worker <
/// usable_threads(). For work of unequal size, or cores of unequal speed; body must not throw.
template <class Body>
void parallel_runs(std::int64_t count, Runs runs, const Body& body) {
  if (count <= 0) return;
  const int threads = usable_threads();
  const std::int64_t workers =
      std::min({(count + runs.least - 1) / runs.least, runs.workers, std::int64_t{threads}});
  if (workers <= 1) {
    body(std::int64_t{0}, count, std::int64_t{0});
    return;
  }
  std::atomic<std::int64_t> next{0};
  const auto take = [&] { return next.fetch_add(runs.least, std::memory_order_relaxed); };
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t worker = omp_get_thread_num();
    if (worker < workers) {
      for (std::int64_t begin = take(); begin < count; begin = take())
        body(begin, std::min(begin + runs.least, count), worker);
    }
  }
}

/// body(task, worker) for every task in [0, count), likewise. A task waits until ready(task), which may depend on tasks before
/// it alone. A call that is interrupted throws after the last worker's task.
template <class Ready, class Body>
void parallel_tasks(std::int64_t count, Runs runs, const Ready& ready, const Body& body) {
  with_checkpoint([&](Checkpoint& checkpoint) {
    parallel_runs(count, runs, [&](std::int64_t begin, std::int64_t end, std::int64_t worker) {
      for (std::int64_t task = begin; task < end; ++task) {
        if (!checkpoint.pass(worker)) return;
        while (!ready(task)) {
          std::this_thread::yield();
          if (!checkpoint.pass(worker)) return;
        }
        body(task, worker);
      }
    });
  });
}

template <class Body>
void parallel_tasks(std::int64_t count, Runs runs, const Body& body) {
  parallel_tasks(
      count, runs, [](std::int64_t) { return true; }, body);
}

template <class Body>
void parallel_tasks(std::int64_t count, const Body& body) {
  parallel_tasks(count, Runs{}, body);
}

}  // namespace heed
