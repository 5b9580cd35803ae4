// What the process gives the library: threads and memory.
#pragma once

#include <heed/export.h>

#include <cstddef>
#include <cstdint>

namespace heed {

/// Threads a call may use. Results are the same bits for any number. Starts at OpenMP's default.
HEED_API int num_threads() noexcept;
HEED_API void set_num_threads(int threads);

/// Bytes of tensor and workspace memory held now, and the most held since the last reset_peak_memory().
struct MemoryUse {
  std::size_t current = 0;
  std::size_t peak = 0;
  std::uint64_t allocations = 0;
};
HEED_API MemoryUse memory_use() noexcept;
HEED_API void reset_peak_memory() noexcept;

/// An allocation that would take the total above `bytes` is an Error. 0 takes the limit away.
HEED_API void set_memory_limit(std::size_t bytes) noexcept;

}  // namespace heed
