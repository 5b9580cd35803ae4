// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/launch.h"

#include "core/check.h"
#include "core/convert.h"
#include "core/dtype_dispatch.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <algorithm>

namespace heed {
namespace {

using kernels::Extent;
using kernels::kernels_for;
using kernels::Operand;

Extent extent_of(const Shape& shape) {
  Extent extent;
  extent.rank = shape.rank();
  std::copy(shape.begin(), shape.end(), extent.sizes);
  return extent;
}

Operand operand(const Tensor& x, const Shape& shape, void* data) {
  Operand result;
  result.data = data;
  result.dtype = x.dtype();
  const Strides strides = detail::broadcast_strides(x, shape);
  std::copy(strides.begin(), strides.end(), result.strides);
  return result;
}

Operand input(const Tensor& x, const Shape& shape) {
  return operand(x, shape, const_cast<void*>(detail::raw(x)));
}
Operand output(const Tensor& x) { return operand(x, x.shape(), detail::raw_mutable(x)); }

/// A scalar as an operand of stride 0, without a tensor around it.
class ScalarOperand {
 public:
  ScalarOperand(Scalar value, Dtype dtype) : dtype_(dtype) {
    visit_dtype(dtype, [&](auto zero) {
      using T = decltype(zero);
      const T typed = value.is_floating() ? convert<T>(value.real()) : convert<T>(value.integer());
      std::copy_n(reinterpret_cast<const std::byte*>(&typed), sizeof(T), bytes_);
    });
  }
  Operand operand() {
    Operand result;
    result.data = bytes_;
    result.dtype = dtype_;
    return result;
  }

 private:
  Dtype dtype_;
  alignas(8) std::byte bytes_[8];
};

Dtype reduced_dtype(ReduceOp op, Dtype dtype) {
  if (op == ReduceOp::kArgMax || (op == ReduceOp::kSum && dtype == boolean)) return i64;
  return op == ReduceOp::kMean && !is_floating(dtype) ? f32 : dtype;
}

Tensor run_binary(BinaryOp op, const Shape& shape, const Operand& a, const Operand& b, const Tensor& like) {
  const bool compares = op == BinaryOp::kEqual || op == BinaryOp::kNotEqual || op == BinaryOp::kLess ||
                        op == BinaryOp::kLessEqual;
  const Tensor out = empty(shape, compares ? boolean : a.dtype);
  kernels_for(like).binary({op, extent_of(shape), a, b, output(out)});
  return out;
}

}  // namespace

Tensor unary(UnaryOp op, const Tensor& x) {
  const Tensor out = empty(x.shape(), x.dtype());
  kernels_for(x).unary({op, extent_of(x.shape()), input(x, x.shape()), output(out)});
  return out;
}

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shapes(a.shape(), b.shape());
  return run_binary(op, shape, input(a, shape), input(b, shape), a);
}

Tensor binary(BinaryOp op, const Tensor& a, Scalar b) {
  ScalarOperand scalar(b, a.dtype());
  return run_binary(op, a.shape(), input(a, a.shape()), scalar.operand(), a);
}

Tensor binary(BinaryOp op, Scalar a, const Tensor& b) {
  ScalarOperand scalar(a, b.dtype());
  return run_binary(op, b.shape(), scalar.operand(), input(b, b.shape()), b);
}

Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shapes(condition.shape(), broadcast_shapes(a.shape(), b.shape()));
  const Tensor out = empty(shape, a.dtype());
  kernels_for(a).where(
      {extent_of(shape), input(condition, shape), input(a, shape), input(b, shape), output(out)});
  return out;
}

Tensor select(const Tensor& condition, const Tensor& a, Scalar b) {
  const Shape shape = broadcast_shapes(condition.shape(), a.shape());
  ScalarOperand scalar(b, a.dtype());
  const Tensor out = empty(shape, a.dtype());
  kernels_for(a).where(
      {extent_of(shape), input(condition, shape), input(a, shape), scalar.operand(), output(out)});
  return out;
}

Tensor select(const Tensor& condition, Scalar a, const Tensor& b) {
  const Shape shape = broadcast_shapes(condition.shape(), b.shape());
  ScalarOperand scalar(a, b.dtype());
  const Tensor out = empty(shape, b.dtype());
  kernels_for(b).where(
      {extent_of(shape), input(condition, shape), scalar.operand(), input(b, shape), output(out)});
  return out;
}

Tensor reduce(ReduceOp op, const Tensor& x, const Dims& dims) {
  kernels::ReduceParams params;
  Shape kept;
  for (std::int64_t dim = 0; dim < x.rank(); ++dim) {
    const bool is_reduced = std::find(dims.begin(), dims.end(), dim) != dims.end();
    Extent& extent = is_reduced ? params.reduced : params.kept;
    std::int64_t* strides = is_reduced ? params.reduced_strides : params.kept_strides;
    strides[extent.rank] = x.strides()[dim];
    extent.sizes[extent.rank++] = x.shape()[dim];
    if (!is_reduced) kept.push_back(x.shape()[dim]);
  }
  const Tensor out = empty(kept, reduced_dtype(op, x.dtype()));
  params.op = op;
  params.in = detail::raw(x);
  params.dtype = x.dtype();
  params.out = detail::raw_mutable(out);
  kernels_for(x).reduce(params);
  return out;
}

void copy_into(const Tensor& target, const Tensor& source) {
  kernels_for(target).copy({extent_of(target.shape()), input(source, target.shape()), output(target)});
}

void fill_into(const Tensor& target, Scalar value) {
  ScalarOperand scalar(value, target.dtype());
  kernels_for(target).copy({extent_of(target.shape()), scalar.operand(), output(target)});
}

void add_into(const Tensor& target, const Tensor& source, double alpha) {
  kernels_for(target).add_scaled(
      {extent_of(target.shape()), input(source, target.shape()), output(target), alpha});
}

Tensor contiguous_copy(const Tensor& x) { return contiguous_copy(x, x.dtype()); }

Tensor contiguous_copy(const Tensor& x, Dtype dtype) {
  const Tensor out = empty(x.shape(), dtype);
  copy_into(out, x);
  return out;
}

Tensor add_same_shape(const Tensor& a, const Tensor& b) { return binary(BinaryOp::kAdd, a, b); }

}  // namespace heed
