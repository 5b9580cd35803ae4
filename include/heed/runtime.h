// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the process gives the library: threads and memory.
#pragma once

#include <heed/export.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed {

/// Threads a call may use. Results are the same bits for any number. Starts at OpenMP's default. A process forked while
/// there were several threads, whosever they were, uses one: OpenMP's do not survive the fork. heed cannot tell where it is
/// loaded only afterwards.
HEED_API int num_threads() noexcept;
HEED_API void set_num_threads(int threads);

/// Bytes of tensor and workspace memory held now, the most held since the last reset_peak_memory(), and bytes of freed
/// blocks kept for reuse (64 MiB at most, beyond the others).
struct MemoryUse {
  std::size_t current = 0;
  std::size_t peak = 0;
  std::uint64_t allocations = 0;
  std::size_t cached = 0;
};
HEED_API MemoryUse memory_use() noexcept;
HEED_API void reset_peak_memory() noexcept;
/// Gives the blocks kept for reuse back to the C library, which may keep small ones.
HEED_API void release_cached_memory() noexcept;

/// An allocation that would take the total above `bytes` is an Error. 0 takes the limit away.
HEED_API void set_memory_limit(std::size_t bytes) noexcept;

/// While one lives, calls from this thread that may take long ask `poll` between pieces of work, from this thread: attention,
/// matrix products, backward(), random tensors, regression, files and pictures. What it throws ends the call: the rest of the
/// work is skipped, and no tensor, gradient or file that was there before has changed. Operations that take one number at a
/// time and those in place, optimisers' steps among them, run to their end.
class HEED_API Interruptible {
 public:
  using Poll = void (*)();
  explicit Interruptible(Poll poll) noexcept;
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  Poll previous_;
};

/// Instruction-set tiers of this build that this CPU can run, best first: "avx512", "avx2", "baseline".
HEED_API std::vector<std::string> simd_tiers();
/// The tier that runs: the best one, unless the environment variable HEED_SIMD or set_simd_tier() names another.
HEED_API std::string simd_tier();
HEED_API void set_simd_tier(const std::string& name);

}  // namespace heed
