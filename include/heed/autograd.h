// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The tape is recorded while a program runs, wherever an operand requires a gradient.
// Tensor::backward() walks it; these are the switches.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <span>

namespace heed {

/// While one lives, the calling thread records nothing.
class HEED_API NoGrad {
 public:
  NoGrad() noexcept;
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool previous_;
};

/// Runs `body` with recording off: `no_grad([&] { w.add_(w.grad(), -lr); })`.
template <class Body>
decltype(auto) no_grad(Body&& body) {
  NoGrad guard;
  return body();
}

HEED_API bool grad_enabled() noexcept;

/// As root.backward(seed) for several roots at once: what they have in common is walked once. Roots without a graph are
/// skipped, unless all are.
HEED_API void backward(std::span<const Tensor> roots, std::span<const Tensor> seeds);

}  // namespace heed
