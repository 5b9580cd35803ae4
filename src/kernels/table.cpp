// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The table of the CPU. Other devices add theirs here and nowhere else.
#include "kernels/table.h"

#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/line/tiers.h"

namespace heed::kernels {
namespace {

constexpr KernelTable kCpu{
    .unary = cpu::unary,
    .binary = cpu::binary,
    .where = cpu::where,
    .copy = cpu::copy,
    .add_scaled = cpu::add_scaled,
    .reduce = cpu::reduce,
    .softmax = cpu::softmax,
    .softmax_grad = cpu::softmax_grad,
    .matmul = cpu::matmul,
    .project_rows = cpu::project_rows,
    .gather_rows = cpu::gather_rows,
    .scatter_add_rows = cpu::scatter_add_rows,
    .gather = cpu::gather,
    .scatter_add = cpu::scatter_add,
    .dropout = cpu::dropout,
    .normalize = cpu::normalize,
    .normalize_grad = cpu::normalize_grad,
    .attend_forward = cpu::attend_forward,
    .attend_backward = cpu::attend_backward,
    .attend_weights = cpu::attend_weights,
    .attended = cpu::attended,
    .attend_plan = cpu::attend_plan,
};

}  // namespace

const LineKernels& line_kernels() { return cpu::line_kernels(); }

const KernelTable& kernels_for(const Tensor&) noexcept { return kCpu; }

}  // namespace heed::kernels
