// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One table of function pointers per device. What an entry means stands at its parameter struct.
#pragma once

#include "kernels/attention.h"
#include "kernels/line.h"
#include "kernels/params.h"

#include <heed/tensor.h>

namespace heed::kernels {

struct KernelTable {
  void (*unary)(const UnaryParams&) noexcept;
  void (*binary)(const BinaryParams&) noexcept;
  void (*where)(const WhereParams&) noexcept;
  void (*copy)(const CopyParams&) noexcept;
  void (*add_scaled)(const AddScaledParams&) noexcept;
  void (*reduce)(const ReduceParams&);
  void (*softmax)(const SoftmaxParams&) noexcept;
  void (*softmax_grad)(const SoftmaxGradParams&) noexcept;
  void (*matmul)(const MatmulParams&);
  void (*project_rows)(const ProjectRowsParams&);
  void (*gather_rows)(const RowsParams&) noexcept;
  void (*scatter_add_rows)(const RowsParams&) noexcept;
  void (*gather)(const GatherParams&) noexcept;
  void (*scatter_add)(const GatherParams&) noexcept;
  void (*dropout)(const DropoutParams&) noexcept;
  void (*normalize)(const NormalizeParams&) noexcept;
  void (*normalize_grad)(const NormalizeGradParams&) noexcept;

  void (*attend_forward)(const AttendForward&);
  void (*attend_backward)(const AttendBackward&);
  void (*attend_weights)(const AttendWeights&);
  void (*attended)(const Attended&) noexcept;
  AttendPlan (*attend_plan)(const AttendProblem&);
};

/// Sums over points on a line run on the CPU alone, in the tier that simd_tier() names.
const LineKernels& line_kernels();

/// The kernels of the device x lives on.
const KernelTable& kernels_for(const Tensor& x) noexcept;

}  // namespace heed::kernels
