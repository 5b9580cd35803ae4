// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "dot.h"

#include <fmt/format.h>

namespace heed::bench {

std::string DotShape::text() const { return fmt::format("b{} h{} n{} d{}", batch, heads, n, d); }

DotOperands::DotOperands(const DotShape& shape) {
  Generator generator(1);
  const Shape sizes{shape.batch, shape.heads, shape.n, shape.d};
  queries = normal(sizes, {}, shape.dtype, generator);
  keys = normal(sizes, {}, shape.dtype, generator);
  values = normal(sizes, {}, shape.dtype, generator);
}

DotOperands& DotOperands::with_gradients() {
  for (const Tensor& x : {queries, keys, values}) x.requires_grad_();
  return *this;
}

void DotOperands::clear_gradients() const {
  for (const Tensor& x : {queries, keys, values}) x.set_grad({});
}

double forward_flops(const DotShape& shape, Pairs pairs) {
  const auto n = static_cast<double>(shape.n);
  const double count = pairs == Pairs::kCausal ? n * (n + 1) / 2 : n * n;
  return 4 * count * static_cast<double>(shape.batch * shape.heads * shape.d);
}

double backward_flops(const DotShape& shape) { return 2.5 * forward_flops(shape); }

Prepare forward(const DotShape& shape, const AttendOptions& options) {
  return [=]() -> Run {
    return [options, in = DotOperands(shape)] {
      const NoGrad guard;
      attend(in.queries, in.keys, in.values, options);
    };
  };
}

Prepare backward(const DotShape& shape) {
  return [=]() -> Run {
    const DotOperands in = DotOperands(shape).with_gradients();
    const Tensor out = attend(in.queries, in.keys, in.values);
    return [in, out, seed = ones_like(out)] {
      in.clear_gradients();
      out.backward_retaining_graph(seed);
    };
  };
}

Prepare forward_and_backward(const DotShape& shape, const AttendOptions& options) {
  return [=]() -> Run {
    const DotOperands in = DotOperands(shape).with_gradients();
    return [in, options, seed = ones_like(in.queries)] {
      in.clear_gradients();
      attend(in.queries, in.keys, in.values, options).backward(seed);
    };
  };
}

}  // namespace heed::bench
