// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The CPU's entries of the kernel table.
#pragma once

#include "kernels/params.h"

namespace heed::kernels::cpu {

void unary(const UnaryParams&) noexcept;
void binary(const BinaryParams&) noexcept;
void where(const WhereParams&) noexcept;
void copy(const CopyParams&) noexcept;
void add_scaled(const AddScaledParams&) noexcept;
/// May need a workspace, whose failure is an Error.
void reduce(const ReduceParams&);
void softmax(const SoftmaxParams&) noexcept;
void softmax_grad(const SoftmaxGradParams&) noexcept;
void matmul(const MatmulParams&);
/// As all that ask for a tier: fails if HEED_SIMD names none.
void project_rows(const ProjectRowsParams&);
void gather_rows(const RowsParams&) noexcept;
void scatter_add_rows(const RowsParams&) noexcept;
void gather(const GatherParams&) noexcept;
void scatter_add(const GatherParams&) noexcept;
void dropout(const DropoutParams&) noexcept;
void normalize(const NormalizeParams&) noexcept;
void normalize_grad(const NormalizeGradParams&) noexcept;

}  // namespace heed::kernels::cpu
