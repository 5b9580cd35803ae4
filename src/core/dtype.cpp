// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/dtype.h>

#include <algorithm>

namespace heed {

const char* name(Dtype dtype) noexcept {
  switch (dtype) {
    case Dtype::kF32: return "f32";
    case Dtype::kF64: return "f64";
    case Dtype::kI64: return "i64";
    case Dtype::kBool: return "boolean";
  }
  return "unknown";
}

std::size_t size_of(Dtype dtype) noexcept {
  switch (dtype) {
    case Dtype::kF32: return 4;
    case Dtype::kF64:
    case Dtype::kI64: return 8;
    case Dtype::kBool: return 1;
  }
  return 0;
}

bool is_floating(Dtype dtype) noexcept { return dtype == Dtype::kF32 || dtype == Dtype::kF64; }

Dtype promote(Dtype a, Dtype b) noexcept {
  const auto order = [](Dtype d) {
    switch (d) {
      case Dtype::kBool: return 0;
      case Dtype::kI64: return 1;
      case Dtype::kF32: return 2;
      case Dtype::kF64: return 3;
    }
    return 3;
  };
  return order(a) >= order(b) ? a : b;
}

}  // namespace heed
