// Memory that the tasks of one call work in.
#pragma once

#include "core/parallel.h"
#include "core/storage.h"
#include "kernels/cpu/attention/tier.h"

#include <algorithm>

namespace heed::kernels::cpu {

inline std::int64_t pieces(std::int64_t size, std::int64_t piece) { return (size + piece - 1) / piece; }

/// The least work that is handed out: some microseconds, for waking a thread takes as long, and one that is needed elsewhere
/// keeps everybody waiting.
inline constexpr std::int64_t kLeastTask = 1 << 18;
inline std::int64_t work_of(const AttendProblem& p) {
  constexpr std::int64_t kPerPair = 16;
  return p.B * p.H * p.Lq * p.Lk * (p.D + p.Dv + kPerPair);
}

/// How many of `tasks` equal tasks to hand out at least.
inline Runs worthwhile_runs(const AttendProblem& p, std::int64_t tasks) {
  const std::int64_t each = work_of(p) / std::max<std::int64_t>(tasks, 1);
  return {.least = std::max<std::int64_t>(1, kLeastTask / (each + 1))};
}

/// So much memory, and a gap to what another worker writes: a processor fetches the lines after those it works with, and would
/// take them away from it (2 % of n = 128 on two threads of Intel).
inline std::size_t with_gap(std::size_t bytes) {
  constexpr std::size_t kGap = 2048;
  return (bytes + 127) / 128 * 128 + kGap;
}

/// Scratch for every worker.
class Scratches {
 public:
  Scratches(std::int64_t tasks, std::size_t bytes)
      : bytes_(with_gap(bytes)),
        memory_(static_cast<std::size_t>(std::min<std::int64_t>(tasks, usable_threads())) * bytes_) {}
  void* of(std::int64_t worker) const { return memory_.data() + static_cast<std::size_t>(worker) * bytes_; }

 private:
  std::size_t bytes_;
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

/// Memory for the results of (task, chunk).
class ForwardParts {
 public:
  ForwardParts(const AttendProblem& p, std::int64_t rows, std::int64_t tasks, std::int64_t chunks)
      : chunks_(chunks),
        bytes_(static_cast<std::int64_t>(with_gap(static_cast<std::size_t>(rows * (p.Dv + 2) * element(p))))),
        memory_(static_cast<std::size_t>(tasks * chunks * bytes_)),
        parts_(static_cast<std::size_t>(tasks * chunks)) {
    for (std::int64_t n = 0; n < tasks * chunks; ++n) {
      std::byte* part = memory_.data() + n * bytes_;
      parts_[n] = {part, part + rows * p.Dv * element(p), part + rows * (p.Dv + 1) * element(p)};
    }
  }
  /// The part of a task's chunk; those of its further chunks follow.
  const ForwardPart* of(std::int64_t task, std::int64_t chunk = 0) const {
    return &parts_[task * chunks_ + chunk];
  }

 private:
  static std::int64_t element(const AttendProblem& p) { return static_cast<std::int64_t>(size_of(p.dtype)); }
  std::int64_t chunks_, bytes_;
  detail::Workspace<std::byte> memory_;
  detail::Workspace<ForwardPart> parts_;
};

}  // namespace heed::kernels::cpu
