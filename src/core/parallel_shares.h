// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tasks in shares, one for each worker and the same in every call: what a worker needs is then often still in its cache.
#pragma once

#include "core/parallel.h"

#include <vector>

namespace heed {

/// What is left of [0, count), cut into one share of neighbours per worker.
class TaskShares {
 public:
  struct Run {
    std::int64_t begin, end;
  };
  /// First task and end of what is left share a word.
  static constexpr std::int64_t kMostTasks = std::numeric_limits<std::uint32_t>::max();

  TaskShares(std::int64_t count, std::int64_t workers) : shares_(static_cast<std::size_t>(workers)) {
    for (std::int64_t n = 0; n < workers; ++n) {
      const Run whole{count * n / workers, count * (n + 1) / workers};
      shares_[static_cast<std::size_t>(n)].left.store(packed(whole), std::memory_order_relaxed);
    }
  }

  /// Half of what is left or as the runs' limits have it: the next of the worker's own share, or else the last of the share
  /// with most left. Empty: all are taken.
  Run take(std::int64_t worker, const Runs& runs) noexcept {
    const auto size = [&](Run left) {
      const std::int64_t count = left.end - left.begin;
      return std::min(count, std::clamp(count / 2, runs.least, std::max(runs.least, runs.most)));
    };
    const auto first = [&](Run left) { return Run{left.begin, left.begin + size(left)}; };
    const auto last = [&](Run left) { return Run{left.end - size(left), left.end}; };
    Run taken = take_from(shares_[static_cast<std::size_t>(worker)], first);
    while (taken.begin == taken.end) {
      Share* most = nullptr;
      std::int64_t most_left = 0;
      for (Share& share : shares_) {
        const Run left = unpacked(share.left.load(std::memory_order_relaxed));
        if (left.end - left.begin <= most_left) continue;
        most = &share;
        most_left = left.end - left.begin;
      }
      if (!most) break;
      taken = take_from(*most, last);
    }
    return taken;
  }

 private:
  struct alignas(128) Share {  // lines are fetched in pairs
    std::atomic<std::uint64_t> left;
  };
  static std::uint64_t packed(Run run) noexcept {
    return static_cast<std::uint64_t>(run.begin) << 32U | static_cast<std::uint64_t>(run.end);
  }
  static Run unpacked(std::uint64_t run) noexcept {
    return {static_cast<std::int64_t>(run >> 32U), static_cast<std::int64_t>(run & 0xFFFFFFFFU)};
  }

  /// which(left): a run at one of its ends.
  template <class Which>
  static Run take_from(Share& share, const Which& which) noexcept {
    std::uint64_t found = share.left.load(std::memory_order_relaxed);
    for (;;) {
      const Run left = unpacked(found), taken = which(left);
      if (taken.begin == taken.end) return taken;
      const Run rest = taken.begin == left.begin ? Run{taken.end, left.end} : Run{left.begin, taken.begin};
      if (share.left.compare_exchange_weak(found, packed(rest))) return taken;
    }
  }

  std::vector<Share> shares_;
};

/// How many tasks there are: first those in shares, then some in order, smaller ones, so that nobody waits for long in the end.
struct SharedTasks {
  std::int64_t shared, in_order = 0;
};

/// As parallel_runs, but tasks come from shares, and then in order in the smallest runs.
template <class Body>
void parallel_shared_runs(SharedTasks tasks, Runs runs, const Body& body) {
  const std::int64_t all = tasks.shared + tasks.in_order;
  const int threads = usable_threads();
  const std::int64_t workers =
      std::min({(all + runs.least - 1) / runs.least, runs.workers, std::int64_t{threads}});
  if (workers <= 1 || tasks.shared > TaskShares::kMostTasks) return parallel_runs(all, runs, body);
  TaskShares shares(tasks.shared, workers);
  std::atomic<std::int64_t> next{tasks.shared};
  const auto take = [&](std::int64_t worker) -> TaskShares::Run {
    const TaskShares::Run run = shares.take(worker, runs);
    if (run.begin < run.end) return run;
    const std::int64_t begin = std::min(next.fetch_add(runs.least, std::memory_order_relaxed), all);
    return {begin, std::min(begin + runs.least, all)};
  };
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t worker = omp_get_thread_num();
    if (worker < workers) {
      for (TaskShares::Run run = take(worker); run.begin < run.end; run = take(worker))
        body(run.begin, run.end, worker);
    }
  }
}

/// body(task, worker) for every task, likewise. A call that is interrupted throws after every worker's task.
template <class Body>
void parallel_shared_tasks(SharedTasks tasks, Runs runs, const Body& body) {
  with_checkpoint([&](Checkpoint& checkpoint) {
    parallel_shared_runs(tasks, runs, [&](std::int64_t begin, std::int64_t end, std::int64_t worker) {
      for (std::int64_t task = begin; task < end && checkpoint.pass(worker); ++task) body(task, worker);
    });
  });
}

}  // namespace heed
