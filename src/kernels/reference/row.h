// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One row of attention: the pairs that take part, their scores and weights. All in f64.
#pragma once

#include "core/philox.h"
#include "kernels/attention.h"
#include "kernels/reference/compensated_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heed::kernels::reference {

inline double load(const void* data, Dtype dtype, std::int64_t offset) noexcept {
  return dtype == Dtype::kF32 ? static_cast<double>(static_cast<const float*>(data)[offset])
                              : static_cast<const double*>(data)[offset];
}
inline void store(void* data, Dtype dtype, std::int64_t offset, double value) noexcept {
  if (dtype == Dtype::kF32) {
    static_cast<float*>(data)[offset] = static_cast<float>(value);
  } else {
    static_cast<double*>(data)[offset] = value;
  }
}
inline void add(void* data, Dtype dtype, std::int64_t offset, double value) noexcept {
  store(data, dtype, offset, load(data, dtype, offset) + value);
}

/// Offset of element (b, h, i, j).
inline std::int64_t at(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t i,
                       std::int64_t j) noexcept {
  return b * m.batch + h * m.head + i * m.row + j * m.column;
}

/// Which (batch, query head, query) a row is.
struct RowIndex {
  std::int64_t b, h, i;
};

/// The keys [begin, end) that lengths and band leave to a row; `allowed` and -inf bias may take more away.
struct KeyRange {
  std::int64_t begin, end;
};
inline KeyRange key_range(const AttendProblem& p, const RowIndex& row) noexcept {
  std::int64_t end = p.Lk;
  if (p.mask.valid_lens) {
    end = std::min(end, p.mask.valid_lens[row.b * p.mask.lens_batch_stride + row.i * p.mask.lens_row_stride]);
  }
  end = std::min(end, row.i + p.mask.high + 1);
  const std::int64_t begin = std::max<std::int64_t>(0, row.i + p.mask.low);
  return {begin, std::max(begin, end)};
}

inline bool takes_part(const AttendProblem& p, const RowIndex& row, std::int64_t j) noexcept {
  const HeadedMatrix& allowed = p.mask.allowed;
  if (allowed.data && !static_cast<const bool*>(allowed.data)[at(allowed, row.b, row.h, row.i, j)])
    return false;
  constexpr double kMinusInf = -std::numeric_limits<double>::infinity();
  return !p.bias.data || load(p.bias.data, p.dtype, at(p.bias, row.b, row.h, row.i, j)) != kMinusInf;
}

/// A pair that takes part. `capped` is the score before bias, which softcap's derivative needs.
struct Pair {
  std::int64_t key;
  double score, capped, weight;
};

/// Fills `pairs` (room for Lk) with the row's pairs, weights included; returns their number and the log-sum-exp.
struct RowResult {
  std::int64_t count = 0;
  double log_sum_exp = -std::numeric_limits<double>::infinity();
};
template <class Score>
RowResult compute_row(const AttendProblem& p, const Score& score, const RowIndex& row, const double* q,
                      const double* keys, Pair* pairs) noexcept {
  constexpr double kMinusInf = -std::numeric_limits<double>::infinity();
  RowResult result;
  double largest = kMinusInf;
  const KeyRange range = key_range(p, row);
  for (std::int64_t j = range.begin; j < range.end; ++j) {
    if (!takes_part(p, row, j)) continue;
    double s = score.value(q, keys + j * p.D, p.D);
    if (p.softcap > 0) s = p.softcap * std::tanh(s / p.softcap);
    const double capped = s;
    if (p.bias.data) s += load(p.bias.data, p.dtype, at(p.bias, row.b, row.h, row.i, j));
    if (s == kMinusInf) continue;
    pairs[result.count++] = {j, s, capped, 0};
    if (!(s <= largest)) largest = s;
  }
  CompensatedSum sum;
  for (std::int64_t n = 0; n < result.count; ++n) {
    pairs[n].weight = std::exp(pairs[n].score - largest);
    sum.add(pairs[n].weight);
  }
  for (std::int64_t n = 0; n < result.count; ++n) pairs[n].weight /= sum.value();
  if (result.count > 0) result.log_sum_exp = largest + std::log(sum.value());
  return result;
}

/// Factor dropout puts on weight (b, h, i, j): 0 or the scale that keeps the mean.
inline double dropout_factor(const AttentionDropout& dropout, const RowIndex& row, std::int64_t j) noexcept {
  if (dropout.threshold == 0) return 1;
  if (dropout.threshold >= 65536) return 0;
  const auto word = [](std::int64_t x) { return static_cast<std::uint32_t>(x); };
  const PhiloxBlock block =
      philox({word(j / 8), word(row.i), word(row.h), word(row.b)}, philox_key(dropout.seed));
  const std::uint32_t bits = block[static_cast<std::size_t>(j % 8 / 2)] >> (j % 2 * 16) & 0xFFFF;
  return bits >= dropout.threshold ? 65536.0 / (65536.0 - dropout.threshold) : 0.0;
}

}  // namespace heed::kernels::reference
