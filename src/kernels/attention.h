// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The contract of the attention kernels. For each batch b, head h, query i:
//
//   s_j = score(q_i, k_j);  s_j = softcap tanh(s_j / softcap);  s_j += bias_ij
//   p_j = exp(s_j - lse) over the pairs the mask lets through, lse = log sum exp s_j
//   out_i = sum_j dropout(p)_j v_j
//
// A masked pair, or one whose bias is -inf, is skipped: nothing at it is read into a result. A row without pairs
// has out 0, p 0, lse -inf and passes no gradient. Query head h reads key-value head h / (H / Hkv).
#pragma once

#include <heed/dtype.h>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heed::kernels {

/// What the kernels know of a score. A score's own parameters reach them as one vector of D numbers.
enum class ScoreKind : std::uint8_t {
  kDot,       ///< scale * q.k
  kGaussian,  ///< -1/2 sum_d (w_d (q_d - k_d))^2; the difference comes first, so large offsets do not cancel
  kAdditive,  ///< sum_d w_d tanh(q_d + k_d), q and k already projected
};

/// A (B, H, L, columns) operand with any strides, in elements.
struct HeadedMatrix {
  void* data = nullptr;
  std::int64_t batch = 0, head = 0, row = 0, column = 0;
};

/// Pair (i, j) of batch b, head h takes part if  low <= j - i <= high,  j < valid_lens  and  allowed.
struct MaskParams {
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t low = -kUnbounded, high = kUnbounded;
  const std::int64_t* valid_lens = nullptr;
  std::int64_t lens_batch_stride = 0, lens_row_stride = 0;
  HeadedMatrix allowed;  ///< boolean (B, H, Lq, Lk), broadcast by stride 0; no data: all
};

/// Weight (b, h, i, j) is kept if its 16 random bits are at least `threshold`, and then scaled by
/// 65536 / (65536 - threshold). The bits are half word j%8 of Philox block (j/8, i, h, b) under `seed`.
struct AttentionDropout {
  std::uint32_t threshold = 0;  ///< 0: none dropped; 65536: all
  std::uint64_t seed = 0;
};

struct AttendProblem {
  Dtype dtype = Dtype::kF32;
  std::int64_t B = 0, H = 0, Hkv = 0, Lq = 0, Lk = 0, D = 0, Dv = 0;
  ScoreKind score = ScoreKind::kDot;
  double scale = 1;                     ///< kDot
  const void* score_weights = nullptr;  ///< (D) contiguous: w of kGaussian and kAdditive
  double softcap = 0;                   ///< 0: none
  HeadedMatrix queries, keys, values;   ///< (B, H, Lq, D), (B, Hkv, Lk, D), (B, Hkv, Lk, Dv)
  HeadedMatrix bias;                    ///< (B, H, Lq, Lk), broadcast by stride 0; no data: none
  MaskParams mask;
  AttentionDropout dropout;
};

/// Writes out (B, H, Lq, Dv), columns side by side: out.column is not looked at. And log_sum_exp (B, H, Lq), contiguous.
struct AttendForward {
  AttendProblem problem;
  HeadedMatrix out;
  void* log_sum_exp = nullptr;
};

/// Writes the gradients of queries, keys and values, columns side by side, and adds to those of bias and score weights,
/// which come in zeroed; no data: not wanted. grad_bias is broadcast as bias is.
struct AttendBackward {
  AttendProblem problem;
  HeadedMatrix out, grad_out;
  const void* log_sum_exp = nullptr;
  const void* grad_log_sum_exp = nullptr;  ///< (B, H, Lq) contiguous, or none
  HeadedMatrix grad_queries, grad_keys, grad_values, grad_bias;
  void* grad_score_weights = nullptr;  ///< (D) contiguous
};

/// Writes the weights before dropout of chosen heads and rows: out (B, heads, rows, Lk), contiguous.
struct AttendWeights {
  AttendProblem problem;
  const void* log_sum_exp = nullptr;
  const std::int64_t* heads = nullptr;
  const std::int64_t* rows = nullptr;
  std::int64_t head_count = 0, row_count = 0;
  void* out = nullptr;
};

/// What the engine would do with a problem.
struct AttendPlan {
  const char* tier = "";
  bool few_rows = false;
  const char* why_not_few_rows = "";
  std::int64_t query_rows = 0, key_rows = 0, chunk_rows = 0;
  std::int64_t forward_tasks = 0, backward_tasks = 0;
  std::size_t forward_bytes = 0, backward_bytes = 0;  ///< workspace
};

/// Which queries (B, H, Lq) and keys (B, Hkv, Lk) take part in at least one pair; contiguous, come in false.
struct Attended {
  AttendProblem problem;
  bool* queries = nullptr;
  bool* keys = nullptr;
};

}  // namespace heed::kernels
