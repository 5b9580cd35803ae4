// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tensors for tests: random values, the same values in awkward memory, and comparisons that say what differs.
#pragma once

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace heed::test {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

/// Standard normal; the values are those of f32 in either dtype, so that both can be compared.
Tensor random_normal(const Shape& shape, Dtype dtype = f64, std::uint64_t seed = 1);
/// Uniform on low..high, likewise.
struct Interval {
  double low = -1, high = 1;
};
Tensor random_in(const Interval& interval, const Shape& shape, Dtype dtype = f64, std::uint64_t seed = 1);
/// Uniform on 0..limit-1.
Tensor random_indices(std::int64_t limit, const Shape& shape, std::uint64_t seed = 1);

struct Layout {
  std::string name;
  Tensor tensor;
};
/// The same values laid out otherwise: dims reversed in memory, inside a larger buffer at an odd offset, every other
/// element, backwards. What lies between is NaN (or a large number), so that reading it shows.
std::vector<Layout> layouts(const Tensor& x);

/// x with NaN wherever `where` (boolean, broadcastable) is true.
Tensor poisoned(const Tensor& x, const Tensor& where, double poison = kNan);

/// Shape, dtype and every bit.
testing::AssertionResult same_bits(const Tensor& a, const Tensor& b);
/// |actual - expected| <= tolerance (1 + |expected|); NaN only where NaN is expected, inf likewise.
testing::AssertionResult near(const Tensor& actual, const std::vector<double>& expected,
                              double tolerance = 1e-12);
testing::AssertionResult near(const Tensor& actual, const Tensor& expected, double tolerance = 1e-12);

/// body() with that many threads; what was set before is put back.
template <class Body>
auto with_threads(int threads, const Body& body) {
  struct Restore {
    int previous = num_threads();
    ~Restore() { set_num_threads(previous); }
  } restore;
  set_num_threads(threads);
  return body();
}

}  // namespace heed::test
