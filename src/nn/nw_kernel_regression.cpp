// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/nw_kernel_regression.h>

#include "core/check.h"
#include "nn/init.h"
#include "nn/sequences.h"

namespace heed::nn {
namespace {

/// keys or values as (n, m, 1), or (m, 1) where they are `shared` by all queries.
Tensor as_rows(const Tensor& x, std::int64_t n, bool shared) {
  return (shared || x.rank() == 2 ? x : x.expand({n, x.size(0)})).unsqueeze(-1);
}

void check_points(const Tensor& x, const char* argument, const Tensor& queries) {
  check_dtype(x, queries.dtype(), "NWKernelRegression", argument);
  check(x.rank() == 1 || (x.rank() == 2 && x.size(0) == queries.size(0)), "NWKernelRegression",
        "{} must be (n, m) or (m,) with n = {}, found {}", argument, queries.size(0), x.shape());
}

}  // namespace

NWKernelRegression::NWKernelRegression(const NWKernelRegressionOptions& options) {
  check(is_floating(options.dtype), "NWKernelRegression", "dtype must be f32 or f64, found {}",
        options.dtype);
  w = parameter(rand({1}, options.dtype));
}

Tensor NWKernelRegression::operator()(const Tensor& queries, const Tensor& keys, const Tensor& values) {
  check_floating(queries, "NWKernelRegression", "queries");
  check(queries.rank() == 1, "NWKernelRegression", "queries must be (n,), found {}", queries.shape());
  check_points(keys, "keys", queries);
  check_points(values, "values", queries);
  check(keys.size(-1) == values.size(-1), "NWKernelRegression", "keys {} and values {} must have the same m",
        keys.shape(), values.shape());
  const std::int64_t n = queries.size(0);
  const bool shared = keys.rank() == 1 && values.rank() == 1;
  const Shape shape = shared ? Shape{n, 1} : Shape{n, 1, 1};
  AttendResult result = attend_with_weights(queries.reshape(shape), as_rows(keys, n, shared),
                                            as_rows(values, n, shared), {.score = Gaussian{.w = w}});
  weights_ = std::move(result.weights);
  return result.output.reshape({n});
}

Tensor NWKernelRegression::attention_weights(const WeightsPart& part) const {
  check_forwarded(type_name(), weights_.available());
  // With keys of its own, a query is a batch of one row, and the rows asked for are batches.
  const Tensor all = weights_({.heads = part.heads});
  const Tensor rows = all.rank() == 3 ? all.squeeze(1) : all;
  if (part.rows.empty()) return rows;
  std::vector<std::int64_t> chosen = part.rows;
  for (std::int64_t& row : chosen) {
    const std::int64_t n = rows.size(0);
    check(row >= -n && row < n, "NWKernelRegression",
          "attention_weights: row {} does not exist, there are {}", row, n);
    if (row < 0) row += n;
  }
  return embedding(rows, from_vector(chosen, {static_cast<std::int64_t>(chosen.size())}));
}

std::string NWKernelRegression::type_name() const { return "NWKernelRegression"; }

void NWKernelRegression::visit(Visitor& visitor) { visitor.parameter("w", w); }

Tensor leave_one_out(const Tensor& x) {
  check_defined(x, "leave_one_out", "x");
  check(x.rank() == 1 && x.size(0) >= 1, "leave_one_out", "x must be (n,) with at least one point, found {}",
        x.shape());
  const std::int64_t n = x.size(0);
  const Tensor others = empty({n, n - 1}, i64);
  std::int64_t* out = others.mutable_data<std::int64_t>();
  for (std::int64_t row = 0; row < n; ++row) {
    for (std::int64_t column = 0; column < n - 1; ++column) *out++ = column + (column >= row ? 1 : 0);
  }
  return gather(x.expand({n, n}), 1, others);
}

}  // namespace heed::nn
