// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/philox.h"

#include <heed/random.h>

namespace heed {

std::uint64_t Generator::advance(std::uint64_t blocks) noexcept {
  const std::uint64_t first = position_;
  position_ += blocks;
  return first;
}

std::uint64_t Generator::next() noexcept {
  const PhiloxBlock block = philox_stream(seed_, advance(1));
  return (std::uint64_t{block[0]} << 32) | block[1];
}

Generator& default_generator() noexcept {
  thread_local Generator generator;
  return generator;
}

void seed(std::uint64_t value) noexcept { default_generator() = Generator(value); }

}  // namespace heed
