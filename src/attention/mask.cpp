// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "attention/mask.h"

#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/launch.h"
#include "ops/index_checks.h"

#include <heed/ops.h>

#include <algorithm>

namespace heed {

Mask operator&(const Mask& a, const Mask& b) {
  Mask both = a;
  both.terms_.insert(both.terms_.end(), b.terms_.begin(), b.terms_.end());
  return both;
}

Mask valid_lens(const Tensor& lengths) {
  check_dtype(lengths, i64, "valid_lens", "lengths");
  return Mask(Mask::ValidLens{lengths});
}

Mask valid_lens(const NestedNumbers& lengths) {
  const Tensor numbers = tensor(lengths, f64);
  check_whole(numbers, "valid_lens", "lengths");
  return valid_lens(numbers.to(i64));
}

Mask causal() { return window({.right = 0}); }
Mask causal(Align align) { return window({.right = 0, .align = align}); }

Mask window(const WindowOptions& options) {
  check(options.left.value_or(0) >= 0, "window", "left must not be negative, found {}",
        options.left.value_or(0));
  check(options.right.value_or(0) >= 0, "window", "right must not be negative, found {}",
        options.right.value_or(0));
  return Mask(options);
}

Mask mask(const Tensor& allowed) {
  check_dtype(allowed, boolean, "mask", "allowed");
  return Mask(Mask::Allowed{allowed});
}

namespace detail {
namespace {

class MaskFolder {
 public:
  MaskFolder(AttendSettings& settings, AttendOperands& operands, std::string_view op)
      : settings_(settings), operands_(operands), op_(op) {}

  void operator()(const Mask::ValidLens& term) {
    const Tensor lengths = checked_lengths(term.lengths);
    Tensor& all = operands_.lengths;
    all = all.defined() ? binary(BinaryOp::kMinimum, all, lengths) : lengths;
  }

  void operator()(const WindowOptions& term) {
    if (!term.left && !term.right) return;
    const bool square = settings_.Lq == settings_.Lk;
    check(square || term.align, op_,
          "mask: causal or window with Lq = {} and Lk = {} must say which corner the diagonal starts from: "
          "Align::kTopLeft or Align::kBottomRight",
          settings_.Lq, settings_.Lk);
    const bool bottom_right = !square && *term.align == Align::kBottomRight;
    const std::int64_t shift = bottom_right ? settings_.Lk - settings_.Lq : 0;
    // A reach beyond every pair is the same as none, and cannot overflow.
    const std::int64_t far = settings_.Lq + settings_.Lk;
    if (term.left) settings_.low = std::max(settings_.low, shift - std::min(*term.left, far));
    if (term.right) settings_.high = std::min(settings_.high, shift + std::min(*term.right, far));
  }

  void operator()(const Mask::Allowed& term) {
    const Shape scores = settings_.score_shape();
    check(broadcasts_to(term.allowed.shape(), scores), op_,
          "mask: shape {} does not broadcast to the scores {}", term.allowed.shape(), scores);
    Tensor& all = operands_.allowed;
    all = all.defined() ? logical_and(all, term.allowed) : term.allowed;
  }

 private:
  /// As (B, 1) or (B, Lq), every entry in 0..Lk.
  Tensor checked_lengths(const Tensor& lengths) const {
    const auto [B, Lq, Lk] = std::tuple(settings_.B, settings_.Lq, settings_.Lk);
    const Shape& shape = lengths.shape();
    const bool per_batch = shape == Shape{B} || (shape.empty() && settings_.rank == 2);
    check(per_batch || shape == Shape{B, Lq}, op_, "valid_lens must have shape {} or {}, found {}", Shape{B},
          Shape{B, Lq}, shape);
    const std::vector<std::int64_t> entries = lengths.to_vector<std::int64_t>();
    for (std::size_t n = 0; n < entries.size(); ++n) {
      if (entries[n] >= 0 && entries[n] <= Lk) continue;
      const auto position = static_cast<std::int64_t>(n);
      const std::string where =
          per_batch ? fmt::format("{}", position) : fmt::format("{}, {}", position / Lq, position % Lq);
      fail(op_, fmt::format("valid_lens[{}] is {}, expected 0..{}", where, entries[n], Lk));
    }
    return per_batch ? lengths.reshape({B, 1}) : lengths;
  }

  AttendSettings& settings_;
  AttendOperands& operands_;
  std::string_view op_;
};

}  // namespace

void apply_mask(const Mask& mask, AttendSettings& settings, AttendOperands& operands, std::string_view op) {
  for (const Mask::Term& term : mask.terms()) std::visit(MaskFolder(settings, operands, op), term);
}

}  // namespace detail
}  // namespace heed
