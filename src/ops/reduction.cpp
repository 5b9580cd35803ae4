// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "ops/reduction.h"

#include "core/check.h"

namespace heed {

Dims reduced_dims(const Tensor& x, const Dims& dims, std::string_view op) {
  check_defined(x, op, "x");
  if (!dims.empty()) return wrap_dims(dims, x.rank(), op);
  Dims all;
  for (std::int64_t i = 0; i < x.rank(); ++i) all.push_back(i);
  return all;
}

Dims nonempty_dims(const Tensor& x, const Dims& dims, std::string_view op) {
  const Dims result = reduced_dims(x, dims, op);
  for (std::int64_t dim : result) {
    check(x.shape()[dim] > 0, op, "dim {} of shape {} is empty and has no such element", dim, x.shape());
  }
  return result;
}

Shape kept_shape(const Shape& shape, const Dims& dims) {
  Shape kept = shape;
  for (std::int64_t dim : dims) kept[dim] = 1;
  return kept;
}

Tensor with_dims(const Tensor& reduced, const Shape& kept, KeepDims keep) {
  return keep == KeepDims::kYes ? reduced.reshape(kept) : reduced;
}

}  // namespace heed
