// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scratch memory of one worker.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heed::kernels::cpu::HEED_TIER {

/// Hands out aligned pieces of one allocation; without memory it only counts.
class Arena {
 public:
  explicit Arena(void* memory = nullptr) : memory_(static_cast<char*>(memory)) {}

  template <class T>
  T* take(std::int64_t count) {
    char* result = memory_ ? memory_ + used_ : nullptr;
    used_ += (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
    return reinterpret_cast<T*>(result);
  }
  std::size_t used() const { return used_; }

 private:
  char* memory_;
  std::size_t used_ = 0;
};

}  // namespace heed::kernels::cpu::HEED_TIER
