// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"

#include "autograd/engine.h"
#include "core/check.h"

namespace heed {
namespace detail {
namespace {

Edge edge_to(const Tensor& input) {
  const GradMeta* meta = grad_meta(input);
  if (!meta || !meta->requires_grad) return {};
  if (meta->node) return {meta->node, meta->output, nullptr};
  return {nullptr, 0, input.impl()};
}

}  // namespace

void record_node(const char* op, std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                 Node::GradientFunction gradient) {
  std::vector<Edge> edges;
  edges.reserve(inputs.size());
  for (const Tensor& input : inputs) edges.push_back(edge_to(input));
  auto node = std::make_shared<Node>(op, std::move(edges), std::move(gradient));
  node->outputs.reserve(outputs.size());
  for (const Tensor& out : outputs) {
    GradMeta& meta = make_grad_meta(out);
    meta.requires_grad = true;
    meta.node = node;
    meta.output = node->outputs.size();
    node->outputs.push_back({out.shape(), out.dtype()});
  }
}

}  // namespace detail

Saved::Saved(const Tensor& x)
    : tensor_(x.defined() ? x.detach() : Tensor()),
      version_(x.defined() ? x.impl()->storage->version() : 0) {}

const Tensor& Saved::operator()() const {
  if (tensor_.defined()) {
    const std::uint64_t now = tensor_.impl()->storage->version();
    check(now == version_, "backward",
          "a tensor of shape {} that '{}' recorded was changed in place since then (version {}, recorded at "
          "{}); "
          "change a clone() instead",
          tensor_.shape(), detail::running_op(), now, version_);
  }
  return tensor_;
}

void check_in_place(const Tensor& x, std::string_view op) {
  check_defined(x, op, "tensor");
  check(!(grad_enabled() && x.requires_grad()), op,
        "would change a tensor that requires a gradient; do it inside no_grad, or on a clone()");
}

}  // namespace heed
