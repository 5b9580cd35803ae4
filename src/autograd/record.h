// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How an operation puts itself on the tape, forward and gradient in one function body:
//
//   Tensor exp(const Tensor& x) {
//     check_floating(x, "exp", "x");
//     const Tensor y = unary(UnaryOp::kExp, x);
//     if (!needs_grad(x)) return y;
//     return record("exp", y, {x}, [y = Saved(y)](const Tensor& grad) { return grad * y(); });
//   }
#pragma once

#include "autograd/node.h"

#include <heed/autograd.h>

#include <initializer_list>
#include <type_traits>

namespace heed {

using detail::Gradients;

/// Whether the tape must hear of an operation on these operands.
template <class... Tensors>
bool needs_grad(const Tensors&... xs) noexcept {
  return grad_enabled() && (xs.requires_grad() || ...);
}

/// A tensor kept for the gradient. Reading it back after it was changed in place is an Error.
class Saved {
 public:
  Saved() = default;
  explicit Saved(const Tensor& x);
  const Tensor& operator()() const;

 private:
  Tensor tensor_;
  std::uint64_t version_ = 0;
};

/// x kept only if some gradient needs it; reads back undefined otherwise.
inline Saved saved_if(bool needed, const Tensor& x) { return needed ? Saved(x) : Saved(); }

namespace detail {

void record_node(const char* op, std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                 Node::GradientFunction gradient);

}  // namespace detail

/// Puts `out` on the tape. gradient(grad_out) returns a Tensor (one input) or Gradients (one per input, in
/// order, each of its input's shape). `out` must be fresh: not an input, not on the tape.
template <class Gradient>
Tensor record(const char* op, const Tensor& out, std::initializer_list<Tensor> inputs, Gradient gradient) {
  detail::record_node(op, std::span(&out, 1), std::span(inputs.begin(), inputs.size()),
                      [gradient = std::move(gradient)](std::span<const Tensor> grads) -> Gradients {
                        if constexpr (std::is_same_v<std::invoke_result_t<Gradient, const Tensor&>, Tensor>) {
                          return {gradient(grads[0])};
                        } else {
                          return gradient(grads[0]);
                        }
                      });
  return out;
}

/// As record, for operations with a list of inputs.
template <class Gradient>
Tensor record(const char* op, const Tensor& out, std::span<const Tensor> inputs, Gradient gradient) {
  detail::record_node(
      op, std::span(&out, 1), inputs,
      [gradient = std::move(gradient)](std::span<const Tensor> grads) { return gradient(grads[0]); });
  return out;
}

/// Several outputs from one operation: gradient(grads) sees one gradient per output, zeros where none came.
template <class Gradient>
void record_outputs(const char* op, std::initializer_list<Tensor> outputs,
                    std::initializer_list<Tensor> inputs, Gradient gradient) {
  detail::record_node(op, std::span(outputs.begin(), outputs.size()),
                      std::span(inputs.begin(), inputs.size()), std::move(gradient));
}

/// A change in place of x is about to happen: an Error if the tape would miss it.
void check_in_place(const Tensor& x, std::string_view op);

}  // namespace heed
