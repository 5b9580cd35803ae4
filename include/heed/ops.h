// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Operations on tensors. All carry gradients unless said otherwise; all broadcast as NumPy does.
// Operands of different types meet in the larger one: boolean < i64 < f32 < f64.
#pragma once

#include <heed/export.h>
#include <heed/random.h>
#include <heed/scalar.h>
#include <heed/tensor.h>

#include <cstdint>
#include <span>

namespace heed {

// --- arithmetic ---

HEED_API Tensor operator+(const Tensor& a, const Tensor& b);
HEED_API Tensor operator-(const Tensor& a, const Tensor& b);
HEED_API Tensor operator*(const Tensor& a, const Tensor& b);
/// i64 by i64 gives f32, as true division does.
HEED_API Tensor operator/(const Tensor& a, const Tensor& b);
HEED_API Tensor operator+(const Tensor& a, Scalar b);
HEED_API Tensor operator-(const Tensor& a, Scalar b);
HEED_API Tensor operator*(const Tensor& a, Scalar b);
HEED_API Tensor operator/(const Tensor& a, Scalar b);
HEED_API Tensor operator+(Scalar a, const Tensor& b);
HEED_API Tensor operator-(Scalar a, const Tensor& b);
HEED_API Tensor operator*(Scalar a, const Tensor& b);
HEED_API Tensor operator/(Scalar a, const Tensor& b);
HEED_API Tensor operator-(const Tensor& x);

HEED_API Tensor pow(const Tensor& x, Scalar exponent);
HEED_API Tensor pow(const Tensor& x, const Tensor& exponent);
HEED_API Tensor abs(const Tensor& x);
HEED_API Tensor exp(const Tensor& x);
HEED_API Tensor log(const Tensor& x);
HEED_API Tensor sqrt(const Tensor& x);
HEED_API Tensor sin(const Tensor& x);
HEED_API Tensor cos(const Tensor& x);
HEED_API Tensor tanh(const Tensor& x);
HEED_API Tensor sigmoid(const Tensor& x);
HEED_API Tensor relu(const Tensor& x);

enum class Gelu : std::uint8_t { kExact, kTanh };
HEED_API Tensor gelu(const Tensor& x, Gelu form = Gelu::kExact);

// --- comparison and logic: boolean results, no gradient ---

HEED_API Tensor operator==(const Tensor& a, const Tensor& b);
HEED_API Tensor operator!=(const Tensor& a, const Tensor& b);
HEED_API Tensor operator<(const Tensor& a, const Tensor& b);
HEED_API Tensor operator<=(const Tensor& a, const Tensor& b);
HEED_API Tensor operator>(const Tensor& a, const Tensor& b);
HEED_API Tensor operator>=(const Tensor& a, const Tensor& b);
HEED_API Tensor operator==(const Tensor& a, Scalar b);
HEED_API Tensor operator!=(const Tensor& a, Scalar b);
HEED_API Tensor operator<(const Tensor& a, Scalar b);
HEED_API Tensor operator<=(const Tensor& a, Scalar b);
HEED_API Tensor operator>(const Tensor& a, Scalar b);
HEED_API Tensor operator>=(const Tensor& a, Scalar b);
HEED_API Tensor logical_and(const Tensor& a, const Tensor& b);
HEED_API Tensor logical_or(const Tensor& a, const Tensor& b);
HEED_API Tensor logical_not(const Tensor& x);

/// Same shape, same dtype, same elements; NaN equals NaN, so that a copy equals its original.
HEED_API bool identical(const Tensor& a, const Tensor& b);
struct Closeness {
  double relative = 1e-5;
  double absolute = 1e-8;
};
/// |a - b| <= absolute + relative |b| everywhere; NaN is close to NaN, inf to the same inf.
HEED_API bool all_close(const Tensor& a, const Tensor& b, const Closeness& limits = {});

// --- reductions; without dims over everything. Sums of f32 are accumulated in f64 ---

enum class KeepDims : std::uint8_t { kNo, kYes };
inline constexpr KeepDims keepdims = KeepDims::kYes;

HEED_API Tensor sum(const Tensor& x, const Dims& dims = {}, KeepDims keep = KeepDims::kNo);
HEED_API Tensor mean(const Tensor& x, const Dims& dims = {}, KeepDims keep = KeepDims::kNo);
/// Ties share the gradient equally. An empty dimension is an Error. NaN wins.
HEED_API Tensor max(const Tensor& x, const Dims& dims = {}, KeepDims keep = KeepDims::kNo);
HEED_API Tensor min(const Tensor& x, const Dims& dims = {}, KeepDims keep = KeepDims::kNo);
/// Index of the first largest element along `dim`, as i64; the first NaN, if any. No gradient.
HEED_API Tensor argmax(const Tensor& x, std::int64_t dim, KeepDims keep = KeepDims::kNo);

// --- products ---

/// (..., m, k) x (..., k, n) -> (..., m, n); leading dims broadcast; a 1-D operand is a row or a column, as in NumPy.
/// The same bits for any number of threads.
HEED_API Tensor matmul(const Tensor& a, const Tensor& b);
/// matmul for exactly (B, m, k) x (B, k, n), the notes' batch matrix product.
HEED_API Tensor bmm(const Tensor& a, const Tensor& b);

// --- softmax family, along one dimension ---

HEED_API Tensor softmax(const Tensor& x, std::int64_t dim = -1);
HEED_API Tensor log_softmax(const Tensor& x, std::int64_t dim = -1);
HEED_API Tensor logsumexp(const Tensor& x, std::int64_t dim = -1, KeepDims keep = KeepDims::kNo);

/// softmax over the last dim of scores (B, Lq, Lk), of which the first valid_lens are looked at: i64, (B,) for
/// all queries of a batch or (B, Lq) one by one; undefined means all. Masked weights are exactly 0; a length of 0
/// gives a row of zeros (the notes' code, which masks by -1e6, gives a uniform row). Also (Lq, Lk) with (Lq,) lengths.
HEED_API Tensor masked_softmax(const Tensor& scores, const Tensor& valid_lens = {});
/// softmax over the last dim of what `mask` (boolean, broadcastable, true = look at) lets through.
HEED_API Tensor masked_softmax_where(const Tensor& scores, const Tensor& mask);
/// x (N, L, ...) with everything from position valid_lens[n] on replaced by `value`.
HEED_API Tensor sequence_mask(const Tensor& x, const Tensor& valid_lens, Scalar value = 0);

// --- joining and picking ---

HEED_API Tensor cat(std::span<const Tensor> tensors, std::int64_t dim = 0);
HEED_API Tensor cat(std::initializer_list<Tensor> tensors, std::int64_t dim = 0);
HEED_API Tensor stack(std::span<const Tensor> tensors, std::int64_t dim = 0);
HEED_API Tensor stack(std::initializer_list<Tensor> tensors, std::int64_t dim = 0);
/// Each slice along `dim` repeated `repeats` times in a row: (a, b) -> (a, a, b, b).
HEED_API Tensor repeat_interleave(const Tensor& x, std::int64_t repeats, std::int64_t dim = 0);
/// out[i][j] = x[i][index[i][j]] (dim = 1): index has x's rank, and x's sizes except along dim.
HEED_API Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index);
/// Rows of `table` (N, D) at `indices` (any shape): shape indices x D.
HEED_API Tensor embedding(const Tensor& table, const Tensor& indices);
/// condition ? a : b. What is not chosen reaches neither value nor gradient, NaN included.
HEED_API Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

// --- layers as functions ---

/// Zeroes each element with probability p and scales the rest by 1/(1-p).
HEED_API Tensor dropout(const Tensor& x, double p, Generator& generator = default_generator());
struct LayerNormOptions {
  Tensor weight = {};
  Tensor bias = {};
  double epsilon = 1e-5;
};
/// (x - mean) / sqrt(variance + epsilon) * weight + bias over the last dims, those of `normalized`.
HEED_API Tensor layer_norm(const Tensor& x, const Shape& normalized, const LayerNormOptions& options = {});

// --- losses ---

/// (prediction - target)^2 / 2, averaged over all dims but the first: one loss per sample, as in the notes.
HEED_API Tensor l2_loss(const Tensor& prediction, const Tensor& target);
/// Mean of (prediction - target)^2.
HEED_API Tensor mse_loss(const Tensor& prediction, const Tensor& target);
/// Mean of -log softmax(logits)[target]; logits (N, C), target i64 (N,).
HEED_API Tensor cross_entropy(const Tensor& logits, const Tensor& target);

}  // namespace heed
