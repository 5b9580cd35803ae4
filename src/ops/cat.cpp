// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "kernels/launch.h"

#include <heed/ops.h>

#include <algorithm>
#include <vector>

namespace heed {
namespace {

Tensor join(std::span<const Tensor> inputs, std::int64_t dim) {
  check(!inputs.empty(), "cat", "needs at least one tensor");
  Dtype dtype = boolean;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    check_defined(inputs[i], "cat", fmt::format("tensors[{}]", i));
    dtype = promote(dtype, inputs[i].dtype());
  }
  Shape shape = inputs[0].shape();
  const std::int64_t d = wrap_dim(dim, shape.rank(), "cat");
  shape[d] = 0;
  std::vector<Tensor> parts;
  parts.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Shape other = inputs[i].shape();
    const bool fits = other.rank() == shape.rank();
    if (fits) {
      shape[d] += other[d];
      other[d] = shape[d];
    }
    check(fits && other == shape, "cat",
          "tensors[{}] has shape {}, tensors[0] has {}; only dim {} may differ", i, inputs[i].shape(),
          inputs[0].shape(), d);
    parts.push_back(inputs[i].to(dtype));
  }
  const Tensor y = empty(shape, dtype);
  std::int64_t start = 0;
  for (const Tensor& part : parts) {
    const std::int64_t stop = start + part.shape()[d];
    copy_into(y.slice(d, {.start = start, .stop = stop}), part);
    start = stop;
  }
  const bool recorded =
      std::any_of(parts.begin(), parts.end(), [](const Tensor& x) { return needs_grad(x); });
  if (!recorded) return y;
  std::vector<std::int64_t> sizes;
  std::vector<bool> wanted;
  for (const Tensor& part : parts) {
    sizes.push_back(part.shape()[d]);
    wanted.push_back(part.requires_grad());
  }
  const auto gradient = [d, sizes, wanted](const Tensor& grad) {
    Gradients result(sizes.size());
    std::int64_t from = 0;
    for (std::size_t i = 0; i < sizes.size(); from += sizes[i++]) {
      if (wanted[i]) result[i] = grad.slice(d, {.start = from, .stop = from + sizes[i]});
    }
    return result;
  };
  return record("cat", y, std::span<const Tensor>(parts), gradient);
}

}  // namespace

Tensor cat(std::span<const Tensor> tensors, std::int64_t dim) { return join(tensors, dim); }
Tensor cat(std::initializer_list<Tensor> tensors, std::int64_t dim) {
  return join(std::span(tensors.begin(), tensors.size()), dim);
}

}  // namespace heed
