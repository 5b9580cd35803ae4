// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/engine.h"

#include "autograd/node.h"
#include "core/check.h"
#include "core/locks.h"
#include "core/parallel.h"
#include "kernels/launch.h"

#include <heed/autograd.h>

#include <queue>
#include <unordered_map>
#include <utility>

namespace heed {
namespace detail {
namespace {

thread_local const char* current_op = "";

/// A gradient no one else holds can be kept as it is; any other is copied, so that leaves never share one.
Tensor own(const Tensor& grad) {
  const bool alone = grad.impl().use_count() == 1 && grad.impl()->storage.use_count() == 1;
  return alone && grad.is_contiguous() ? grad : contiguous_copy(grad);
}

void accumulate_leaf(TensorImpl& leaf, const Tensor& grad) {
  auto& meta = static_cast<GradMeta&>(*leaf.autograd);
  Tensor previous;  // dies after the lock: it may be borrowed, and its owner's deleter do anything
  const std::lock_guard lock(locks().gradients);
  Tensor next = meta.grad.defined() ? add_same_shape(meta.grad, grad) : own(grad);
  previous = std::exchange(meta.grad, std::move(next));
}

using OutputGradients = std::vector<Tensor>;

class Walk {
 public:
  explicit Walk(bool retain_graph) : retain_graph_(retain_graph) {}

  void deliver(const Edge& edge, Tensor grad) {
    if (edge.leaf) {
      leaf_grads_.emplace_back(edge.leaf, std::move(grad));
    } else if (edge.node) {
      auto [entry, is_new] = pending_.try_emplace(edge.node.get(), edge.node->outputs.size());
      if (is_new) ready_.push(edge.node);
      Tensor& sum = entry->second[edge.output];
      sum = sum.defined() ? add_same_shape(sum, grad) : std::move(grad);
    }
  }

  void run() {
    while (!ready_.empty()) {
      poll_interrupt();
      const std::shared_ptr<Node> node = ready_.top();
      ready_.pop();
      auto entry = pending_.extract(node.get());
      step(*node, entry.mapped());
    }
    // Only now: a walk that ends in an error or is interrupted leaves every gradient as it was.
    for (const auto& [leaf, grad] : leaf_grads_) accumulate_leaf(*leaf, grad);
  }

 private:
  // The youngest node first: whatever could still add to its gradients is younger and already done.
  struct Older {
    bool operator()(const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) const noexcept {
      return a->age() < b->age();
    }
  };

  void step(Node& node, OutputGradients& grads) {
    check(
        !node.freed(), "backward",
        "the graph of '{}' was freed by an earlier backward(); use backward_retaining_graph() the first time",
        node.op());
    for (std::size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined()) grads[i] = zeros(node.outputs[i].shape, node.outputs[i].dtype);
    }
    current_op = node.op();
    Gradients input_grads = node.run(grads);
    grads.clear();
    if (!retain_graph_) node.free();
    check(input_grads.size() == node.inputs().size(), node.op(), "its gradient gave {} results for {} inputs",
          input_grads.size(), node.inputs().size());
    for (std::size_t i = 0; i < input_grads.size(); ++i) {
      if (input_grads[i].defined()) deliver(node.inputs()[i], std::move(input_grads[i]));
    }
  }

  bool retain_graph_;
  std::vector<std::pair<std::shared_ptr<TensorImpl>, Tensor>> leaf_grads_;
  std::unordered_map<Node*, OutputGradients> pending_;
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, Older> ready_;
};

}  // namespace

const char* running_op() noexcept { return current_op; }

namespace {

void check_seed(const Tensor& root, const Tensor& seed) {
  check(seed.defined() || root.numel() == 1, "backward",
        "a tensor of shape {} needs a seed of the same shape; only one element goes without", root.shape());
  if (!seed.defined()) return;
  check(seed.shape() == root.shape(), "backward", "seed has shape {}, the tensor {}", seed.shape(),
        root.shape());
  check(seed.dtype() == root.dtype(), "backward", "seed is {}, the tensor {}", seed.dtype(), root.dtype());
}

}  // namespace

void run_backward(std::span<const Tensor> roots, std::span<const Tensor> seeds, bool retain_graph) {
  check(roots.size() == seeds.size(), "backward", "{} seeds for {} tensors", seeds.size(), roots.size());
  const NoGrad guard;
  Walk walk(retain_graph);
  bool any = false;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    check_defined(roots[i], "backward", "tensor");
    if (!roots[i].requires_grad()) continue;
    any = true;
    check_seed(roots[i], seeds[i]);
    const GradMeta& meta = *grad_meta(roots[i]);
    const Edge edge = meta.node ? Edge{meta.node, meta.output, nullptr} : Edge{nullptr, 0, roots[i].impl()};
    walk.deliver(edge, seeds[i].defined() ? seeds[i].detach() : ones_like(roots[i]));
  }
  check(
      any, "backward",
      "the tensor has no graph: nothing it was made from requires a gradient, or it was made inside no_grad");
  walk.run();
}

}  // namespace detail

void Tensor::backward(const Tensor& seed) const {
  detail::run_backward(std::span(this, 1), std::span(&seed, 1), false);
}
void Tensor::backward_retaining_graph(const Tensor& seed) const {
  detail::run_backward(std::span(this, 1), std::span(&seed, 1), true);
}
void backward(std::span<const Tensor> roots, std::span<const Tensor> seeds) {
  detail::run_backward(roots, seeds, false);
}

}  // namespace heed
