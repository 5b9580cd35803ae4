// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The memory in which a query block is computed.
#pragma once

#include "kernels/attention.h"
#include "kernels/cpu/attention/arena-inl.h"
#include "kernels/cpu/attention/layout-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct ForwardScratch {
  T *queries, *weights, *extra, *factors, *keys, *values, *lane_out, *lane_sums, *total_out, *chunk_out;
  T *reference, *sum, *low, *high, *largest, *saved_reference, *block_sum, *correction, *total_reference,
      *total_sum, *known_reference;

  ForwardScratch(const AttendProblem& p, std::int64_t features, Arena& arena) {
    constexpr std::int64_t kWidth = Layout<T>::kQueries, kBlock = Layout<T>::kBlock;
    queries = arena.take<T>(features * kWidth);
    weights = arena.take<T>(kBlock * kWidth);
    extra = p.bias.data || p.mask.allowed.data ? arena.take<T>(kBlock * kWidth) : nullptr;
    factors = p.dropout.threshold > 0 ? arena.take<T>(kBlock * kWidth) : nullptr;
    keys = p.keys.column == 1 ? nullptr : arena.take<T>(kBlock * p.D);
    values = arena.take<T>(kBlock * p.Dv);
    lane_out = arena.take<T>(kFewColumns * kWidth);
    lane_sums = arena.take<T>(kWidth);
    total_out = arena.take<T>(kWidth * p.Dv);
    chunk_out = arena.take<T>(kWidth * p.Dv);
    for (T** lanes : {&reference, &sum, &low, &high, &largest, &saved_reference, &block_sum, &correction,
                      &total_reference, &total_sum, &known_reference}) {
      *lanes = arena.take<T>(kWidth);
    }
  }
};

}  // namespace heed::kernels::cpu::HEED_TIER
