// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Where written bytes go.
#pragma once

#include <cstddef>
#include <span>

namespace heed {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
};

}  // namespace heed
