// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Rows whose scores leave the range of their type, computed again where they do not (wide_row.h). Whether a row is one of them
// is a property of the row alone, so its bits do not depend on its neighbours.
#pragma once

#include "kernels/attention.h"

namespace heed::kernels::cpu {

struct RowPlace {
  std::int64_t b, h, i;
};

/// Whether a score of rows [i, i + count) may overflow, as far as their largest query and key tell. Takes as long as a look at
/// all keys: ask where the processor noticed an overflow.
template <class T>
bool scores_may_overflow(const AttendProblem&, const RowPlace& first, std::int64_t count) noexcept;

/// Whether the sum of a score's terms may overflow for some pair of a row whose queries, keys and biases are finite.
template <class T>
bool row_overflows(const AttendProblem&, const RowPlace&) noexcept;

/// What the engine made of a row.
enum class RowState {
  kNormal,  ///< a sum of weights within the range
  kBroken,  ///< one that is 0 or not finite
};

/// Writes output and log-sum-exp of a row again, if they need it: what a wider type gives if scores overflow; NaN if the engine
/// found no weight beside a query or key that is not finite. A row without pairs stays as it is.
template <class T>
void recover_row(const AttendForward&, const RowPlace&, RowState) noexcept;

/// The same for weights, out (Lk); beside what is not finite they stay as they are.
template <class T>
void recover_weights(const AttendProblem&, const RowPlace&, RowState, T* out) noexcept;

/// After a backward in which something overflowed: gradients that a row with overflowing scores has a part in, and those that
/// are not finite, computed in a wider type. Throws where memory runs out.
void recover_gradients(const AttendBackward&);

}  // namespace heed::kernels::cpu
