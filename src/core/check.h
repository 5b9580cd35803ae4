// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// check(): one line per rule. Text = op, what was expected, what was found.
#pragma once

#include <heed/error.h>
#include <heed/shape.h>
#include <heed/tensor.h>

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

template <>
struct fmt::formatter<heed::Shape> : fmt::formatter<std::string> {
  auto format(const heed::Shape& shape, fmt::format_context& ctx) const {
    return fmt::formatter<std::string>::format(heed::to_string(shape), ctx);
  }
};

template <>
struct fmt::formatter<heed::Dtype> : fmt::formatter<std::string_view> {
  auto format(heed::Dtype dtype, fmt::format_context& ctx) const {
    return fmt::formatter<std::string_view>::format(heed::name(dtype), ctx);
  }
};

namespace heed {

[[noreturn]] void fail(std::string_view op, const std::string& message);

/// check(a == b, "matmul", "inner sizes differ: {} x {}", x.shape(), y.shape());
template <class... Args>
void check(bool holds, std::string_view op, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) [[unlikely]] {
    fail(op, fmt::format(format, std::forward<Args>(args)...));
  }
}

void check_defined(const Tensor& x, std::string_view op, std::string_view argument);
void check_floating(const Tensor& x, std::string_view op, std::string_view argument);
void check_dtype(const Tensor& x, Dtype expected, std::string_view op, std::string_view argument);

/// `dim` in -rank..rank-1 as 0..rank-1.
std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank, std::string_view op);
/// All dims wrapped; a repeated one is an Error.
Dims wrap_dims(const Dims& dims, std::int64_t rank, std::string_view op);

}  // namespace heed
