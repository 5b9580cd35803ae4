// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the backward of few query rows knows of a row.
#pragma once

#include "kernels/cpu/attention/key_run-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T>
struct KnownRow {
  bool used = false;           ///< some pair takes part; else nothing of the row may be looked at
  T reference = 0, scale = 1;  ///< a weight is 2^(score - reference) scale
  T delta = 0;                 ///< grad_lse - sum_c do_c o_c
};

/// From the forward's log-sum-exp. grad_out receives the row's (Dv).
template <class T>
KnownRow<T> known_row(const AttendBackward& f, const FewRows<T>& rows, int r, T* grad_out) {
  const std::int64_t Dv = f.problem.Dv;
  const T lse = static_cast<const T*>(f.log_sum_exp)[rows.place(r)];
  std::fill_n(grad_out, Dv, T{0});
  if (lse == kMinusInf<T>) return {};
  KnownRow<T> row{.used = true, .reference = lse * static_cast<T>(1.4426950408889634)};
  if (f.grad_log_sum_exp) row.delta = static_cast<const T*>(f.grad_log_sum_exp)[rows.place(r)];
  const T *grad = rows.row(f.grad_out, r), *out = rows.row(f.out, r);
  for (std::int64_t c = 0; c < Dv; ++c) {
    grad_out[c] = grad[c * f.grad_out.column];
    row.delta -= grad_out[c] * out[c * f.out.column];
  }
  return row;
}

/// Where a task wants the gradient of row r of its queries.
template <class T>
T* query_gradient(const BackwardTask& task, std::int64_t Lq, int r) {
  return static_cast<T*>(task.queries) + r / Lq * task.query_head_stride + r % Lq * task.query_stride;
}

}  // namespace heed::kernels::cpu::HEED_TIER
