// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Calls a generic lambda with the C++ type of a dtype: visit_dtype(d, [&](auto zero) { using T = decltype(zero); }).
#pragma once

#include <heed/dtype.h>

#include <cstdint>

namespace heed {

template <class F>
decltype(auto) visit_dtype(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::kF32: return f(float{});
    case Dtype::kF64: return f(double{});
    case Dtype::kI64: return f(std::int64_t{});
    default: return f(bool{});
  }
}

/// For kernels whose callers have checked that the type is floating.
template <class F>
decltype(auto) visit_floating(Dtype dtype, F&& f) {
  return dtype == Dtype::kF32 ? f(float{}) : f(double{});
}

}  // namespace heed
