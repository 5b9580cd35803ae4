// What one instruction-set tier offers the engine. The functions do the work of one task; who does which task, and
// with what memory, is the engine's business.
#pragma once

#include "kernels/attention.h"

#include <cstddef>
#include <cstdint>

namespace heed::kernels::cpu {

/// `count` query rows from row i on, of batch b and query head h.
struct QueryBlock {
  std::int64_t b, h, i;
  int count;
};

/// Keys [begin, end) of batch b and key-value head hkv, and where partial sums of this chunk go.
struct KeyChunk {
  std::int64_t b, hkv, begin, end;
  void* queries;  ///< (query heads of the group, Lq, D): this chunk's part of the queries' gradient
  void* weights;  ///< (D): this chunk's part of the score weights' gradient

  template <class T>
  T* queries_partial(std::int64_t head, std::int64_t Lq, std::int64_t D) const {
    return static_cast<T*>(queries) + head * Lq * D;
  }
  template <class T>
  T* weights_partial() const {
    return static_cast<T*>(weights);
  }
};

struct AttentionTier {
  const char* name;
  bool (*supported)() noexcept;
  /// Rows of a query block, keys of a key block.
  int (*query_rows)(Dtype) noexcept;
  int (*key_rows)(Dtype) noexcept;

  std::size_t (*forward_scratch)(const AttendProblem&) noexcept;
  void (*forward)(const AttendForward&, const QueryBlock&, void* scratch) noexcept;
  std::size_t (*backward_scratch)(const AttendProblem&) noexcept;
  void (*backward)(const AttendBackward&, const KeyChunk&, void* scratch) noexcept;
};

/// The best this CPU supports, or the one HEED_SIMD names.
const AttentionTier& active_tier();

}  // namespace heed::kernels::cpu
