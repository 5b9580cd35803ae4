// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The contract with kernels: plain structs of pointers, sizes and strides. Everything is checked before a
// kernel sees it. Kernels that are not noexcept (table.h) throw where memory for their own work runs out, where an
// Interruptible ends the call, and where HEED_SIMD names no tier; what they were to write is then unspecified.
// Strides are in elements and may be zero or negative.
#pragma once

#include <heed/dtype.h>
#include <heed/shape.h>

#include <cstdint>

namespace heed::kernels {

/// One operand of an elementwise kernel, already broadcast: stride 0 where it repeats.
struct Operand {
  void* data = nullptr;
  Dtype dtype = Dtype::kF32;
  std::int64_t strides[kMaxRank] = {};
};

/// The index space of an elementwise kernel.
struct Extent {
  std::int64_t rank = 0;
  std::int64_t sizes[kMaxRank] = {};
};

enum class UnaryOp : std::uint8_t {
  kNeg,
  kAbs,
  kSign,
  kExp,
  kLog,
  kSqrt,
  kSin,
  kCos,
  kTanh,
  kSigmoid,
  kRelu,
  kGelu,
  kGeluGrad,
  kGeluTanh,
  kGeluTanhGrad,
  kNot,
};

/// out = op(in); dtypes equal.
struct UnaryParams {
  UnaryOp op = UnaryOp::kNeg;
  Extent extent;
  Operand in, out;
};

enum class BinaryOp : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  kMaximum,
  kMinimum,  // out has the inputs' dtype
  kTanhGrad,
  kSigmoidGrad,
  kReluGrad,  // gradient b through a function whose value is a; floating
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,  // out is boolean
  kAnd,
  kOr,  // boolean throughout
};

/// out = op(a, b); a and b of one dtype. Arithmetic of i64 wraps around; arithmetic of boolean does not exist.
struct BinaryParams {
  BinaryOp op = BinaryOp::kAdd;
  Extent extent;
  Operand a, b, out;
};

/// out = condition ? a : b; condition boolean, the others of one dtype. What is not chosen is not looked at.
struct WhereParams {
  Extent extent;
  Operand condition, a, b, out;
};

/// out = in, converted: floating to i64 saturates and takes NaN to 0; boolean is in != 0.
struct CopyParams {
  Extent extent;
  Operand in, out;
};

/// out += alpha * in, in place; dtypes equal, not boolean.
struct AddScaledParams {
  Extent extent;
  Operand in, out;
  double alpha = 1;
};

enum class ReduceOp : std::uint8_t { kSum, kMean, kMax, kMin, kArgMax };

/// out[k] = reduction over the reduced dims, taken in row-major order. `kept` and `reduced` are separate index
/// spaces over `in`; out is contiguous over `kept`. Its dtype is in's, but i64 for kArgMax and for the sum of
/// boolean, and f32 for the mean of i64 and boolean. NaN wins in kMax, kMin and kArgMax, which need an element.
struct ReduceParams {
  ReduceOp op = ReduceOp::kSum;
  const void* in = nullptr;
  Dtype dtype = Dtype::kF32;
  Extent kept, reduced;
  std::int64_t kept_strides[kMaxRank] = {};
  std::int64_t reduced_strides[kMaxRank] = {};
  void* out = nullptr;
};

enum class SoftmaxOp : std::uint8_t {
  kSoftmax,
  kLogSoftmax,
  kMaskedSoftmax,  ///< as kSoftmax over what is let through; a score of -inf is not; a row of nothing gives zeros
  kLogSumExp,      ///< out is (rows); -inf for a row of nothing
};

/// The softmax family along the last dim of contiguous in (rows, n).
struct SoftmaxParams {
  SoftmaxOp op = SoftmaxOp::kSoftmax;
  Dtype dtype = Dtype::kF32;
  std::int64_t rows = 0, n = 0;
  const void* in = nullptr;
  const bool* mask = nullptr;          ///< kMaskedSoftmax: (rows, n), true lets through; none: all
  const std::int64_t* lens = nullptr;  ///< kMaskedSoftmax: (rows), the first of them count; none: all
  void* out = nullptr;
};

/// Gradient of the same, from the value `forward.out` and the gradient of it, both (rows, n): written to grad_in.
/// Not for kLogSumExp. `forward.in` is read for kMaskedSoftmax alone.
struct SoftmaxGradParams {
  SoftmaxParams forward;
  const void* grad_out = nullptr;
  void* grad_in = nullptr;
};

/// One operand of a batched product: row-major with rows `stride` apart or, transposed, columns `stride` apart.
struct MatmulOperand {
  const void* data = nullptr;
  bool transposed = false;
  std::int64_t stride = 0;
  std::int64_t batch_strides[kMaxRank] = {};
};

/// C (batch, m, n) = A (batch, m, k) B (batch, k, n), C contiguous, floating. n and both strides fit BLAS's int.
struct MatmulParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t m = 0, n = 0, k = 0;
  Extent batch;
  MatmulOperand a, b;
  void* c = nullptr;
};

/// y (rows, out) = bias + x (rows, in) w (in, out), y contiguous; each row is summed in the same order whatever the others and
/// however w lies: unlike a BLAS product, a row alone has the bits of the row among many.
struct ProjectRowsParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t rows = 0, in = 0, out = 0;
  const void* x = nullptr;
  std::int64_t x_row = 0, x_column = 0;  ///< strides
  const void* w = nullptr;
  std::int64_t w_in = 0, w_out = 1;  ///< strides, one of them 1
  const void* bias = nullptr;        ///< (out), or none
  void* y = nullptr;
};

/// Rows of a table: out[i] = in[index[i]], or, scattering, out[index[i]] += in[i] in order of i.
struct RowsParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t count = 0, row = 0;  ///< indices, elements per row; all contiguous
  const std::int64_t* index = nullptr;
  const void* in = nullptr;
  void* out = nullptr;
};

/// out[o][j][i] = in[o][index[o][j][i]][i], or, scattering, out[o][index[o][j][i]][i] += in[o][j][i] in order of j.
/// All contiguous; the table is (outer, n, inner), index and the picked elements are (outer, count, inner).
struct GatherParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t outer = 0, n = 0, count = 0, inner = 0;
  const std::int64_t* index = nullptr;
  const void* in = nullptr;
  void* out = nullptr;
};

/// out[i] = u_i >= p ? in[i] / (1 - p) : 0; u_i is word i%4 of block first + i/4 of the stream of seed. Contiguous.
struct DropoutParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t count = 0;
  const void* in = nullptr;
  void* out = nullptr;
  double p = 0;
  std::uint64_t seed = 0, first = 0;
};

/// Over contiguous (rows, n): y = (x - mean) * inverse_deviation * weight + bias.
struct NormalizeParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t rows = 0, n = 0;
  double epsilon = 0;
  const void* x = nullptr;
  const void* weight = nullptr;  ///< (n) or none: 1
  const void* bias = nullptr;    ///< (n) or none: 0
  void* y = nullptr;
  double* mean = nullptr;               ///< (rows)
  double* inverse_deviation = nullptr;  ///< (rows)
};

/// Gradient of the same: with h = (x - mean) * inverse_deviation and g = grad_y * weight,
/// grad_x = inverse_deviation * (g - average(g) - h * average(g h)), and grad_weight_terms = grad_y * h.
struct NormalizeGradParams {
  Dtype dtype = Dtype::kF32;
  std::int64_t rows = 0, n = 0;
  const void* x = nullptr;
  const void* weight = nullptr;
  const double* mean = nullptr;
  const double* inverse_deviation = nullptr;
  const void* grad_y = nullptr;
  void* grad_x = nullptr;             ///< (rows, n); none: not wanted
  void* grad_weight_terms = nullptr;  ///< (rows, n); none: not wanted
};

}  // namespace heed::kernels
