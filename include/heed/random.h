// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Random numbers by Philox 4x32-10 (Salmon et al. 2011): a number depends on (seed, position) alone,
// never on the number of threads.
#pragma once

#include <heed/export.h>

#include <cstdint>

namespace heed {

/// A stream of random numbers. Equal seeds give equal streams. Not to be shared between threads.
class HEED_API Generator {
 public:
  explicit Generator(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  std::uint64_t seed() const noexcept { return seed_; }

  /// How many 128-bit blocks of the stream have been used.
  std::uint64_t position() const noexcept { return position_; }

  /// Reserves `blocks` of 128 bits and returns the position of the first.
  std::uint64_t advance(std::uint64_t blocks) noexcept;

  /// The next 64 bits.
  std::uint64_t next() noexcept;

 private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

/// Restarts the calling thread's default generator, which everything random draws from unless told otherwise.
HEED_API void seed(std::uint64_t value) noexcept;

/// The calling thread's default generator. It starts from seed 0 in every thread.
HEED_API Generator& default_generator() noexcept;

}  // namespace heed
