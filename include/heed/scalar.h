// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A number beside a tensor: `x * 2` keeps the tensor's type, whatever the C++ type of the 2.
#pragma once

#include <concepts>
#include <cstdint>

namespace heed {

class Scalar {
 public:
  template <std::floating_point T>
  Scalar(T value) : floating_(true), real_(static_cast<double>(value)), integer_(0) {}  // NOLINT
  template <std::integral T>
  Scalar(T value)  // NOLINT
      : floating_(false), real_(static_cast<double>(value)), integer_(static_cast<std::int64_t>(value)) {}

  bool is_floating() const noexcept { return floating_; }
  double real() const noexcept { return real_; }
  std::int64_t integer() const noexcept { return floating_ ? static_cast<std::int64_t>(real_) : integer_; }

 private:
  bool floating_;
  double real_;
  std::int64_t integer_;
};

}  // namespace heed
