// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/tensors.h"

#include <cmath>
#include <cstring>

namespace heed::test {
namespace {

/// A buffer of garbage for x's dtype.
Tensor garbage(const Shape& shape, Dtype dtype) {
  return is_floating(dtype) ? full(shape, kNan, dtype) : full(shape, dtype == i64 ? 1'000'000'007 : 1, dtype);
}

std::string position(std::size_t n, const Shape& shape) {
  Shape index = shape;
  auto rest = static_cast<std::int64_t>(n);
  for (std::int64_t dim = shape.rank() - 1; dim >= 0; --dim) {
    index[dim] = rest % shape[dim];
    rest /= shape[dim];
  }
  return to_string(index);
}

}  // namespace

Tensor random_normal(const Shape& shape, Dtype dtype, std::uint64_t seed) {
  Generator generator(seed);
  return normal(shape, {}, f32, generator).to(dtype);
}

Tensor random_in(const Interval& interval, const Shape& shape, Dtype dtype, std::uint64_t seed) {
  Generator generator(seed);
  return (rand(shape, f32, generator) * (interval.high - interval.low) + interval.low).to(dtype);
}

Tensor random_indices(std::int64_t limit, const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return (rand(shape, f64, generator) * static_cast<double>(limit)).to(i64);
}

std::vector<Layout> layouts(const Tensor& x) {
  std::vector<Layout> result;
  const auto add = [&](const char* name, const Tensor& view) {
    view.copy_(x);
    result.push_back({name, view});
  };

  Shape reversed_shape = x.shape();
  Dims reversed_order;
  for (std::int64_t i = 0; i < x.rank(); ++i) {
    reversed_shape[i] = x.shape()[x.rank() - 1 - i];
    reversed_order.push_back(x.rank() - 1 - i);
  }
  add("dims reversed in memory", garbage(reversed_shape, x.dtype()).permute(reversed_order));

  Shape larger = x.shape();
  for (std::int64_t i = 0; i < x.rank(); ++i) larger[i] += 3;
  Tensor inside = garbage(larger, x.dtype());
  for (std::int64_t i = 0; i < x.rank(); ++i)
    inside = inside.slice(i, {.start = 1, .stop = 1 + x.shape()[i]});
  add("inside a larger buffer", inside);

  Shape doubled = x.shape();
  for (std::int64_t i = 0; i < x.rank(); ++i) doubled[i] *= 2;
  Tensor every_other = garbage(doubled, x.dtype());
  for (std::int64_t i = 0; i < x.rank(); ++i) every_other = every_other.slice(i, {.step = 2});
  add("every other element", every_other);

  Tensor backwards = garbage(x.shape(), x.dtype());
  for (std::int64_t i = 0; i < x.rank(); ++i) backwards = backwards.slice(i, {.step = -1});
  add("backwards", backwards);
  return result;
}

Tensor poisoned(const Tensor& x, const Tensor& where, double poison) {
  return heed::where(where, full({}, poison, x.dtype()), x);
}

testing::AssertionResult same_bits(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) {
    return testing::AssertionFailure()
           << name(a.dtype()) << " " << a.shape() << " beside " << name(b.dtype()) << " " << b.shape();
  }
  const auto compare = [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> left = a.to_vector<T>();
    const std::vector<T> right = b.to_vector<T>();
    for (std::size_t i = 0; i < left.size(); ++i) {
      const T l = left[i];
      const T r = right[i];
      if (std::memcmp(&l, &r, sizeof(T)) != 0) {
        return testing::AssertionFailure()
               << "at " << position(i, a.shape()) << ": " << +l << " beside " << +r;
      }
    }
    return testing::AssertionSuccess();
  };
  switch (a.dtype()) {
    case Dtype::kF32: return compare(float{});
    case Dtype::kF64: return compare(double{});
    case Dtype::kI64: return compare(std::int64_t{});
    default: return compare(bool{});
  }
}

testing::AssertionResult near(const Tensor& actual, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> found = actual.to_vector<double>();
  if (found.size() != expected.size()) {
    return testing::AssertionFailure() << found.size() << " elements, expected " << expected.size();
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool same = found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]));
    const bool close = std::isfinite(expected[i]) &&
                       std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i]));
    if (!same && !close) {
      return testing::AssertionFailure()
             << "at " << position(i, actual.shape()) << ": " << found[i] << ", expected " << expected[i];
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult near(const Tensor& actual, const Tensor& expected, double tolerance) {
  if (actual.shape() != expected.shape()) {
    return testing::AssertionFailure() << "shape " << actual.shape() << ", expected " << expected.shape();
  }
  return near(actual, expected.to_vector<double>(), tolerance);
}

}  // namespace heed::test
