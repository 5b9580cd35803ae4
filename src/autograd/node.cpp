// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/node.h"

#include <atomic>

namespace heed::detail {
namespace {

std::atomic<std::uint64_t> next_age{0};

}  // namespace

Node::Node(const char* op, std::vector<Edge> inputs, GradientFunction gradient)
    : op_(op),
      age_(next_age.fetch_add(1, std::memory_order_relaxed)),
      inputs_(std::move(inputs)),
      gradient_(std::move(gradient)) {}

Node::~Node() {
  std::vector<Edge> pending = std::move(inputs_);
  while (!pending.empty()) {
    const std::shared_ptr<Node> node = std::move(pending.back().node);
    pending.pop_back();
    if (node && node.use_count() == 1) {
      for (Edge& edge : node->inputs_) {
        if (edge.node) pending.push_back(std::move(edge));
      }
      node->inputs_.clear();
    }
  }
}

GradMeta& make_grad_meta(const Tensor& x) {
  auto& slot = x.impl()->autograd;
  if (!slot) slot = std::make_unique<GradMeta>();
  return static_cast<GradMeta&>(*slot);
}

}  // namespace heed::detail
