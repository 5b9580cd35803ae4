// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What one instruction-set tier offers the engine. The functions do the work of one task; who does which task, and
// with what memory, is the engine's business.
#pragma once

#include "kernels/attention.h"
#include "kernels/params.h"

#include <cstddef>
#include <cstdint>

namespace heed::kernels::cpu {

/// `count` query rows from row i on, of batch b and query head h.
struct QueryBlock {
  std::int64_t b, h, i;
  int count;
};

/// All query rows that read key-value head hkv of batch b, head by head.
struct HeadRows {
  std::int64_t b, hkv;
};
/// Up to so many of them make a call of few rows (decode).
inline constexpr int kFewRows = 8;

/// What one chunk of keys gives for the rows of a query block: out = sum 2^(score - reference) v, not yet divided.
/// All in the problem's dtype.
struct ForwardPart {
  void* out;        ///< (rows, Dv)
  void* reference;  ///< (rows): -inf for rows that met no key
  void* sum;        ///< (rows)
};

/// Keys [key_begin, key_end) of batch b and key-value head hkv against queries [query_begin, query_end) of the heads that
/// read it, and where the sums go.
struct BackwardTask {
  std::int64_t b, hkv, key_begin, key_end, query_begin, query_end;
  /// The piece of it that is to be done: query blocks, counted over all heads of the group, and key blocks; ends may lie beyond
  /// the last. A query block's earlier key blocks and a key block's earlier query blocks are done already. Few rows: all.
  std::int64_t row_begin, row_end, block_begin, block_end;
  /// What pieces tell each other: whether something was added to the gradients of a key block, of a query block.
  bool *keys_met, *rows_met;
  /// Gradients, written; none: not wanted.
  void* queries;  ///< (query heads of the group, queries, D)
  void* keys;     ///< (keys, D)
  void* values;   ///< (keys, Dv)
  std::int64_t query_head_stride, query_stride, key_stride, value_stride;
  void* weights;  ///< (key blocks, D); few rows: (D)
};

/// Part of a row-wise product: rows [row_begin, row_end), outputs [out_begin, out_end).
struct ProjectBlock {
  std::int64_t row_begin, row_end, out_begin, out_end;
};
/// Inputs that are summed at a time: their weights stay in the second-level cache for all rows.
inline constexpr std::int64_t kProjectDepth = 256;
/// A panel of weights of so many inputs is as wide as a query block.
inline constexpr std::int64_t kPanelRowBytes = 256;

struct AttentionTier {
  const char* name;
  bool (*supported)() noexcept;
  /// Rows of a query block, keys of a key block, keys of a forward chunk.
  int (*query_rows)(Dtype) noexcept;
  int (*key_rows)(Dtype) noexcept;
  int (*chunk_rows)(Dtype) noexcept;

  /// What a score computes once per key, in bytes per key; 0: nothing. `prepared` below is that for all (B, Hkv, Lk)
  /// keys, filled by prepare_keys.
  std::size_t (*prepared_bytes)(const AttendProblem&) noexcept;
  void (*prepare_keys)(const AttendProblem&, std::int64_t begin, std::int64_t end, void* prepared) noexcept;

  std::size_t (*forward_scratch)(const AttendProblem&) noexcept;
  /// The whole of a query block: all chunks of keys in order.
  void (*forward)(const AttendForward&, const void* prepared, const QueryBlock&, void* scratch) noexcept;
  /// The same in pieces: one chunk, and the chunks put together in order. To the same bits.
  void (*forward_chunk)(const AttendForward&, const void* prepared, const QueryBlock&, std::int64_t chunk,
                        const ForwardPart&, void* scratch) noexcept;
  void (*forward_merge)(const AttendForward&, const void* prepared, const QueryBlock&,
                        const ForwardPart* parts, std::int64_t count, void* scratch) noexcept;

  /// Few rows, not for additive scores. Keys [begin, end), and the chunks together.
  std::size_t (*decode_scratch)(const AttendProblem&) noexcept;
  void (*decode_chunk)(const AttendForward&, const HeadRows&, std::int64_t begin, std::int64_t end,
                       const ForwardPart&, void* scratch) noexcept;
  void (*decode_merge)(const AttendForward&, const HeadRows&, const ForwardPart* parts, std::int64_t count,
                       void* scratch) noexcept;

  std::size_t (*backward_scratch)(const AttendProblem&) noexcept;
  void (*backward)(const AttendBackward&, const void* prepared, const BackwardTask&, void* scratch) noexcept;

  /// Weights of the block's rows: out (count, Lk), contiguous.
  std::size_t (*weights_scratch)(const AttendProblem&) noexcept;
  void (*weights)(const AttendWeights&, const void* prepared, const QueryBlock&, void* out,
                  void* scratch) noexcept;

  /// sum[i] += from[i], n of them.
  void (*add)(Dtype, const void* from, std::int64_t n, void* sum) noexcept;

  /// scratch: panels of the block, for more than a few rows where w_out != 1; else none.
  void (*project_rows)(const ProjectRowsParams&, const ProjectBlock&, void* scratch) noexcept;
};

/// The best this CPU supports, or the one HEED_SIMD names.
const AttentionTier& active_tier();

}  // namespace heed::kernels::cpu
