// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Memory that the tasks of one call work in.
#pragma once

#include "core/parallel.h"
#include "core/storage.h"
#include "kernels/cpu/attention/tier.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace heed::kernels::cpu {

inline std::int64_t pieces(std::int64_t size, std::int64_t piece) { return (size + piece - 1) / piece; }

/// The least work that is handed out: some microseconds, for waking a thread takes as long, and one that is needed elsewhere
/// keeps everybody waiting.
inline constexpr std::int64_t kLeastTask = 1 << 18;
inline std::int64_t work_of(const AttendProblem& p) {
  constexpr double kPerPair = 16, kMost = 1LL << 62;
  const auto of = [](std::int64_t n) { return static_cast<double>(n); };
  return static_cast<std::int64_t>(
      std::min(kMost, of(p.B * p.H) * of(p.Lq) * of(p.Lk) * (of(p.D + p.Dv) + kPerPair)));
}

/// How many of `tasks` equal tasks to hand out at least.
inline Runs worthwhile_runs(const AttendProblem& p, std::int64_t tasks) {
  const std::int64_t each = work_of(p) / std::max<std::int64_t>(tasks, 1);
  return {.least = std::max<std::int64_t>(1, kLeastTask / (each + 1))};
}

/// Lines are fetched in pairs.
inline std::size_t whole_lines(std::size_t bytes) { return (bytes + 127) / 128 * 128; }

/// Scratch for every worker, of whom there will be no more while it lives.
class Scratches {
 public:
  Scratches(std::int64_t tasks, std::size_t each) : each_(with_gap(each)), memory_(bytes(tasks, each)) {}
  static std::size_t bytes(std::int64_t tasks, std::size_t each) {
    return static_cast<std::size_t>(std::min<std::int64_t>(tasks, usable_threads())) * with_gap(each);
  }
  void* of(std::int64_t worker) const { return memory_.data() + static_cast<std::size_t>(worker) * each_; }

 private:
  /// A processor fetches the lines after those it works with, and would take them away from another worker (2 % of n = 128 on
  /// two threads of Intel).
  static std::size_t with_gap(std::size_t each) {
    constexpr std::size_t kGap = 2048;
    return whole_lines(each) + kGap;
  }

  HeldThreads held_;
  std::size_t each_;
  detail::Workspace<std::byte> memory_;
};

/// What the score computes once per key, for all keys.
class PreparedKeys {
 public:
  PreparedKeys(const AttendProblem& p, const AttentionTier& tier)
      : memory_(static_cast<std::size_t>(p.B * p.Hkv * p.Lk) * tier.prepared_bytes(p)) {
    if (tier.prepared_bytes(p) == 0) return;
    parallel_for(p.B * p.Hkv * p.Lk, (1 << 14) / (p.D + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
      tier.prepare_keys(p, begin, end, memory_.data());
    });
  }
  const void* data() const { return memory_.data(); }

 private:
  detail::Workspace<std::byte> memory_;
};

/// Memory for the results of (task, chunk), and how many chunks of a task are done.
class ForwardParts {
 public:
  ForwardParts(const AttendProblem& p, std::int64_t rows, std::int64_t tasks, std::int64_t chunks)
      : chunks_(chunks),
        memory_(count(tasks * chunks) * bytes_of_part(p, rows)),
        parts_(count(tasks * chunks)),
        done_(count(chunks > 1 ? tasks : 0)) {
    const std::int64_t each = static_cast<std::int64_t>(bytes_of_part(p, rows)), element = element_of(p);
    for (std::int64_t n = 0; n < tasks * chunks; ++n) {
      std::byte* part = memory_.data() + n * each;
      parts_[n] = {part, part + rows * p.Dv * element, part + rows * (p.Dv + 1) * element};
    }
  }
  static std::size_t bytes(const AttendProblem& p, std::int64_t rows, std::int64_t tasks,
                           std::int64_t chunks) {
    return count(tasks * chunks) * (bytes_of_part(p, rows) + sizeof(ForwardPart));
  }

  /// The part of a task's chunk; those of its further chunks follow.
  const ForwardPart* of(std::int64_t task, std::int64_t chunk = 0) const {
    return &parts_[task * chunks_ + chunk];
  }
  /// One more chunk of the task is done: whether it was the last.
  bool was_last(std::int64_t task) {
    return chunks_ == 1 || done_[count(task)].fetch_add(1, std::memory_order_acq_rel) + 1 == chunks_;
  }

 private:
  static std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }
  static std::int64_t element_of(const AttendProblem& p) {
    return static_cast<std::int64_t>(size_of(p.dtype));
  }
  static std::size_t bytes_of_part(const AttendProblem& p, std::int64_t rows) {
    return whole_lines(count(rows * (p.Dv + 2) * element_of(p)));
  }

  std::int64_t chunks_;
  detail::Workspace<std::byte> memory_;
  detail::Workspace<ForwardPart> parts_;
  std::vector<std::atomic<std::int64_t>> done_;
};

}  // namespace heed::kernels::cpu
