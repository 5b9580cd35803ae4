// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/check.h"

namespace heed {

Error::Error(const std::string& message) : std::invalid_argument(message) {}
Error::~Error() = default;

void fail(std::string_view op, const std::string& message) {
  throw Error(fmt::format("{}: {}", op, message));
}

void check_defined(const Tensor& x, std::string_view op, std::string_view argument) {
  check(x.defined(), op, "{} is undefined (a default-constructed Tensor)", argument);
}

void check_floating(const Tensor& x, std::string_view op, std::string_view argument) {
  check_defined(x, op, argument);
  check(is_floating(x.dtype()), op, "{} must be f32 or f64, found {}", argument, x.dtype());
}

void check_dtype(const Tensor& x, Dtype expected, std::string_view op, std::string_view argument) {
  check_defined(x, op, argument);
  check(x.dtype() == expected, op, "{} must be {}, found {}", argument, expected, x.dtype());
}

std::int64_t wrap_dim(std::int64_t dim, std::int64_t rank, std::string_view op) {
  check(dim >= -rank && dim < rank, op, "dim {} is out of range for a tensor of rank {}", dim, rank);
  return dim < 0 ? dim + rank : dim;
}

Dims wrap_dims(const Dims& dims, std::int64_t rank, std::string_view op) {
  Dims wrapped;
  for (std::int64_t dim : dims) {
    const std::int64_t w = wrap_dim(dim, rank, op);
    check(std::find(wrapped.begin(), wrapped.end(), w) == wrapped.end(), op, "dim {} appears twice", dim);
    wrapped.push_back(w);
  }
  return wrapped;
}

}  // namespace heed
