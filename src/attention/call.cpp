// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/call.h"

#include "core/tensor_impl.h"

namespace heed::detail {

Shape AttendSettings::row_shape() const {
  if (rank == 2) return {Lq};
  if (rank == 3) return {B, Lq};
  return {B, H, Lq};
}

Shape AttendSettings::query_shape(std::int64_t last) const {
  Shape shape = row_shape();
  shape.push_back(last);
  return shape;
}

namespace {

kernels::HeadedMatrix headed_with(void* data, const Strides& strides) {
  const std::int64_t rank = strides.rank();
  kernels::HeadedMatrix m;
  m.data = data;
  m.column = strides[rank - 1];
  m.row = strides[rank - 2];
  if (rank == 4) m.head = strides[1];
  if (rank >= 3) m.batch = strides[0];
  return m;
}

void* data_of(const Tensor& x) { return const_cast<void*>(raw(x)); }

}  // namespace

kernels::HeadedMatrix headed(const Tensor& x) { return headed_with(data_of(x), x.strides()); }

kernels::HeadedMatrix headed_broadcast(const Tensor& x, const Shape& shape) {
  return x.defined() ? headed_with(data_of(x), broadcast_strides(x, shape)) : kernels::HeadedMatrix{};
}

kernels::AttendProblem make_problem(const AttendSettings& s, const AttendOperands& operands) {
  kernels::AttendProblem p;
  p.dtype = s.dtype;
  p.B = s.B;
  p.H = s.H;
  p.Hkv = s.Hkv;
  p.Lq = s.Lq;
  p.Lk = s.Lk;
  p.D = s.D;
  p.Dv = s.Dv;
  p.score = s.score;
  p.scale = s.scale;
  p.score_weights = operands.score_weights.defined() ? raw(operands.score_weights) : nullptr;
  p.softcap = s.softcap;
  if (operands.queries.defined()) p.queries = headed(operands.queries);
  if (operands.keys.defined()) p.keys = headed(operands.keys);
  if (operands.values.defined()) p.values = headed(operands.values);
  p.bias = headed_broadcast(operands.bias, s.score_shape());
  p.mask.low = s.low;
  p.mask.high = s.high;
  if (operands.lengths.defined()) {
    p.mask.valid_lens = operands.lengths.data<std::int64_t>();
    p.mask.lens_batch_stride = operands.lengths.strides()[0];
    p.mask.lens_row_stride = operands.lengths.size(1) == 1 ? 0 : operands.lengths.strides()[1];
  }
  p.mask.allowed = headed_broadcast(operands.allowed, s.score_shape());
  p.dropout = s.dropout;
  return p;
}

}  // namespace heed::detail
