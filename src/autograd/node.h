// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A node of the tape: one recorded operation. Edges point from an operation to what produced its inputs,
// so a result keeps its history alive and nothing keeps a result alive.
#pragma once

#include "core/tensor_impl.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace heed::detail {

/// One gradient per input, in order; undefined where an input needs none.
using Gradients = std::vector<Tensor>;

class Node;

/// Where the gradient of one input goes: to the node that made it, to a leaf, or nowhere.
struct Edge {
  std::shared_ptr<Node> node;
  std::size_t output = 0;
  std::shared_ptr<TensorImpl> leaf;
};

class Node {
 public:
  using GradientFunction = std::function<Gradients(std::span<const Tensor> output_gradients)>;

  Node(const char* op, std::vector<Edge> inputs, GradientFunction gradient);
  /// Releases long chains without recursion: 100,000 nodes must not need 100,000 stack frames.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const char* op() const noexcept { return op_; }
  /// Creation order. A node is always younger than the nodes it points to.
  std::uint64_t age() const noexcept { return age_; }
  const std::vector<Edge>& inputs() const noexcept { return inputs_; }

  struct Output {
    Shape shape;
    Dtype dtype = Dtype::kF32;
  };
  std::vector<Output> outputs;

  bool freed() const noexcept { return gradient_ == nullptr; }
  Gradients run(std::span<const Tensor> output_gradients) const { return gradient_(output_gradients); }
  /// Gives up what the gradient function has saved. The edges stay, so that a second use can say what went wrong.
  void free() noexcept { gradient_ = nullptr; }

 private:
  const char* op_;
  std::uint64_t age_;
  std::vector<Edge> inputs_;
  GradientFunction gradient_;
};

/// Autograd's part of a tensor: a leaf has requires_grad and perhaps grad, a result has node and output.
struct GradMeta final : AutogradMeta {
  bool requires_grad = false;
  std::shared_ptr<Node> node;
  std::size_t output = 0;
  Tensor grad;
};

inline GradMeta* grad_meta(const Tensor& x) noexcept {
  return x.defined() ? static_cast<GradMeta*>(x.impl()->autograd.get()) : nullptr;
}
GradMeta& make_grad_meta(const Tensor& x);

}  // namespace heed::detail
