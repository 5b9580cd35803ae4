// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"
#include "ops/broadcasting.h"

#include <heed/ops.h>

#include <algorithm>
#include <limits>

namespace heed {
namespace {

using kernels::MatmulOperand;

constexpr std::int64_t kLargestBlasInt = std::numeric_limits<std::int32_t>::max();

/// How BLAS can read the last two dims as they lie, if it can: rows or columns without gaps, not overlapping.
std::optional<MatmulOperand> as_it_lies(const Tensor& x) {
  const std::int64_t rows = x.size(-2);
  const std::int64_t columns = x.size(-1);
  const std::int64_t down = x.strides()[x.rank() - 2];
  const std::int64_t across = x.strides()[x.rank() - 1];
  const auto fits = [](std::int64_t stride, std::int64_t length) {
    return stride >= length && stride <= kLargestBlasInt;
  };
  MatmulOperand result;
  result.data = detail::raw(x);
  if (columns == 1 || across == 1) {
    result.stride = rows == 1 ? std::max<std::int64_t>(1, columns) : down;
    if (fits(result.stride, std::max<std::int64_t>(1, columns))) return result;
  }
  if (rows == 1 || down == 1) {
    result.transposed = true;
    result.stride = columns == 1 ? std::max<std::int64_t>(1, rows) : across;
    if (fits(result.stride, std::max<std::int64_t>(1, rows))) return result;
  }
  return std::nullopt;
}

Shape batch_shape(const Tensor& x) {
  return Shape(std::span(x.shape().begin(), static_cast<std::size_t>(x.rank() - 2)));
}

/// x's strides over `batch`, to which its own batch dims broadcast.
void set_batch_strides(MatmulOperand& operand, const Tensor& x, const Shape& batch) {
  const std::int64_t lead = batch.rank() - (x.rank() - 2);
  for (std::int64_t i = 0; i < x.rank() - 2; ++i) {
    operand.batch_strides[lead + i] = x.shape()[i] == 1 ? 0 : x.strides()[i];
  }
}

bool has_batch(const Tensor& x) { return x.rank() > 2; }

/// (..., m, k) as (... * m, k).
Tensor folded(const Tensor& x) { return x.reshape({-1, x.size(-1)}); }

/// a b off the tape; both at least 2-D, shapes checked. Never copies an operand that BLAS can read as it lies.
Tensor product(const Tensor& a, const Tensor& b) {
  const NoGrad guard;
  if (has_batch(a) && !has_batch(b) && a.is_contiguous() && a.numel() > 0) {
    Shape shape = a.shape();
    shape[shape.rank() - 1] = b.size(-1);
    return product(folded(a), b).reshape(shape);
  }
  const auto a_as_is = as_it_lies(a);
  const auto b_as_is = as_it_lies(b);
  if (!a_as_is || !b_as_is) {
    const Tensor& x = a_as_is ? b : a;
    check(x.size(-1) <= kLargestBlasInt, "matmul", "a row of {} in shape {} is longer than BLAS can take",
          x.size(-1), x.shape());
    return a_as_is ? product(a, x.clone()) : product(x.clone(), b);
  }
  kernels::MatmulParams params;
  params.dtype = a.dtype();
  params.m = a.size(-2);
  params.n = b.size(-1);
  params.k = a.size(-1);
  check(params.n <= kLargestBlasInt, "matmul", "a row of {} in the result is longer than BLAS can take",
        params.n);
  Shape shape = broadcast_shapes(batch_shape(a), batch_shape(b));
  params.batch.rank = shape.rank();
  std::copy(shape.begin(), shape.end(), params.batch.sizes);
  params.a = *a_as_is;
  params.b = *b_as_is;
  set_batch_strides(params.a, a, shape);
  set_batch_strides(params.b, b, shape);
  shape.push_back(params.m);
  shape.push_back(params.n);
  const Tensor y = empty(shape, a.dtype());
  params.c = detail::raw_mutable(y);
  kernels::kernels_for(a).matmul(params);
  return y;
}

Tensor grad_left(const Tensor& grad, const Tensor& b, const Shape& shape) {
  return sum_to(product(grad, b.transpose(-2, -1)), shape);
}

Tensor grad_right(const Tensor& a, const Tensor& grad, const Shape& shape) {
  // One matrix for the whole batch: its gradient is one long product instead of a sum of many.
  if (shape.rank() == 2 && has_batch(a) && a.numel() > 0) {
    return product(folded(a).transpose(0, 1), folded(grad));
  }
  return sum_to(product(a.transpose(-2, -1), grad), shape);
}

/// Both operands at least 2-D.
Tensor multiply(const Tensor& a, const Tensor& b) {
  const Tensor y = product(a, b);
  if (!needs_grad(a, b)) return y;
  const auto gradient = [a_shape = a.shape(), b_shape = b.shape(), a = saved_if(b.requires_grad(), a),
                         b = saved_if(a.requires_grad(), b)](const Tensor& grad) -> Gradients {
    return {b().defined() ? grad_left(grad, b(), a_shape) : Tensor(),
            a().defined() ? grad_right(a(), grad, b_shape) : Tensor()};
  };
  return record("matmul", y, {a, b}, gradient);
}

void check_operands(const Tensor& a, const Tensor& b) {
  check(a.rank() >= 1 && b.rank() >= 1, "matmul", "operands must have a dimension at least: {} x {}",
        a.shape(), b.shape());
  const std::int64_t b_inner = b.size(b.rank() == 1 ? 0 : -2);
  check(a.size(-1) == b_inner, "matmul", "inner sizes differ: {} x {}", a.shape(), b.shape());
  const std::int64_t shared = std::min(a.rank(), b.rank()) - 2;
  for (std::int64_t i = 1; i <= shared; ++i) {
    const std::int64_t m = a.size(-2 - i);
    const std::int64_t n = b.size(-2 - i);
    check(m == n || m == 1 || n == 1, "matmul", "batch dims do not broadcast: {} x {}", a.shape(), b.shape());
  }
}

}  // namespace

Tensor matmul(const Tensor& left, const Tensor& right) {
  check_defined(left, "matmul", "left operand");
  check_defined(right, "matmul", "right operand");
  check_operands(left, right);
  const Dtype dtype = promote(left.dtype(), right.dtype());
  check(is_floating(dtype), "matmul", "operands must be f32 or f64, found {} x {}", left.dtype(),
        right.dtype());
  const Tensor a = left.to(dtype);
  const Tensor b = right.to(dtype);
  if (a.rank() == 1 && b.rank() == 1) return multiply(a.unsqueeze(0), b.unsqueeze(1)).reshape({});
  if (a.rank() == 1) return multiply(a.unsqueeze(0), b).squeeze(-2);
  if (b.rank() == 1) return multiply(a, b.unsqueeze(1)).squeeze(-1);
  return multiply(a, b);
}

Tensor bmm(const Tensor& a, const Tensor& b) {
  check_defined(a, "bmm", "a");
  check_defined(b, "bmm", "b");
  check(a.rank() == 3 && b.rank() == 3 && a.size(0) == b.size(0) && a.size(2) == b.size(1), "bmm",
        "expected (B, m, k) x (B, k, n), found {} x {}", a.shape(), b.shape());
  return matmul(a, b);
}

}  // namespace heed
