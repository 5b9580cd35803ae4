// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The autograd members of Tensor, and the recording switch.
#include "autograd/node.h"
#include "core/check.h"

#include <heed/autograd.h>

namespace heed {
namespace {

thread_local bool recording = true;

}  // namespace

NoGrad::NoGrad() noexcept : previous_(recording) { recording = false; }
NoGrad::~NoGrad() { recording = previous_; }
bool grad_enabled() noexcept { return recording; }

bool Tensor::requires_grad() const noexcept {
  const detail::GradMeta* meta = detail::grad_meta(*this);
  return meta && meta->requires_grad;
}

bool Tensor::is_leaf() const noexcept {
  const detail::GradMeta* meta = detail::grad_meta(*this);
  return !meta || !meta->node;
}

const Tensor& Tensor::requires_grad_(bool wanted) const {
  check_defined(*this, "requires_grad_", "tensor");
  check(is_leaf(), "requires_grad_",
        "only leaves can be switched; this tensor is the result of an operation");
  check(!wanted || is_floating(dtype()), "requires_grad_", "only f32 and f64 carry gradients, found {}",
        dtype());
  if (wanted || detail::grad_meta(*this)) detail::make_grad_meta(*this).requires_grad = wanted;
  return *this;
}

Tensor Tensor::grad() const {
  check_defined(*this, "grad", "tensor");
  const detail::GradMeta* meta = detail::grad_meta(*this);
  return meta ? meta->grad : Tensor();
}

void Tensor::set_grad(const Tensor& grad) const {
  check_defined(*this, "set_grad", "tensor");
  if (grad.defined()) {
    check(grad.shape() == shape() && grad.dtype() == dtype(), "set_grad", "{} {} for a tensor that is {} {}",
          grad.dtype(), grad.shape(), dtype(), shape());
    detail::make_grad_meta(*this).grad = grad.detach();
  } else if (detail::GradMeta* meta = detail::grad_meta(*this)) {
    meta->grad = Tensor();
  }
}

Tensor Tensor::detach() const {
  check_defined(*this, "detach", "tensor");
  return detail::make_view(*this, {shape(), strides(), 0});
}

}  // namespace heed
