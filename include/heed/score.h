// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scores a(q, k): how much a query and a key have to do with each other. Everything else about attention
// (masks, bias, softmax, dropout, pooling, gradients) is the same for all of them.
#pragma once

#include <heed/tensor.h>

#include <optional>
#include <variant>

namespace heed {

/// scale * q.k, by default scale = 1/sqrt(D).
struct ScaledDot {
  std::optional<double> scale = std::nullopt;
};

/// q.k
struct Dot {};

/// -1/2 ||(q - k) / h||^2: Nadaraya-Watson regression. Give the bandwidth h or its inverse w, which is what the notes
/// learn: a scalar, or (D,) with one entry per feature; f32 or f64. Infinite h (w = 0) is the plain average.
/// Neither means h = 1. A Gaussian{.bandwidth = 0.5} is as good as a tensor; a tensor may require a gradient.
struct Gaussian {
  class Width {
   public:
    Width() = default;
    Width(double number) : number_(number) {}             // NOLINT(google-explicit-constructor)
    Width(Tensor tensor) : tensor_(std::move(tensor)) {}  // NOLINT(google-explicit-constructor)
    bool given() const noexcept { return number_.has_value() || tensor_.defined(); }
    const std::optional<double>& number() const noexcept { return number_; }
    const Tensor& tensor() const noexcept { return tensor_; }

   private:
    std::optional<double> number_;
    Tensor tensor_;
  };

  Width bandwidth = {};
  Width w = {};
};

/// w_v . tanh(W_q q + W_k k); W_q (hidden, Dq), W_k (hidden, Dk), w_v (hidden,) or (1, hidden). Queries and keys may
/// differ in size.
struct Additive {
  Tensor W_q = {};
  Tensor W_k = {};
  Tensor w_v = {};
};

using Score = std::variant<ScaledDot, Dot, Gaussian, Additive>;

}  // namespace heed
