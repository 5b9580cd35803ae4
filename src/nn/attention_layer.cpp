// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/attention_layer.h>

#include "attention/attended.h"
#include "core/check.h"
#include "nn/sequences.h"

namespace heed::nn {

AttentionLayer::AttentionLayer(const AttentionLayerOptions& options) {
  const auto [d_k, d_input, dtype] = options;
  check(d_k >= 1, "AttentionLayer", "d_k must be given and at least 1, found {}", d_k);
  check(d_input >= 0, "AttentionLayer", "d_input must be given and at least 0, found {}", d_input);
  for (std::int64_t in : {d_input, d_input, d_input, d_k}) {
    linears.push_back(Linear({.in_features = in, .out_features = d_k, .dtype = dtype}));
  }
}

Tensor AttentionLayer::operator()(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                  const Mask& mask) {
  const std::string module = type_name();
  check_sequences(module, queries, keys, values);
  const std::int64_t d_input = linears[0].weight.size(1);
  check_width(module, queries, "queries", d_input, "d_input");
  check_width(module, keys, "keys", d_input, "d_input");
  check_width(module, values, "values", d_input, "d_input");
  const Sequences kept = zero_unattended({queries, keys, values}, mask);
  AttendResult result = attend_with_weights(linears[0](kept.queries), linears[1](kept.keys),
                                            linears[2](kept.values), {.mask = mask});
  weights_ = std::move(result.weights);
  return linears[3](result.output);
}

Tensor AttentionLayer::attention_weights(const WeightsPart& part) const {
  check_forwarded(type_name(), weights_.available());
  return weights_(part);
}

std::string AttentionLayer::type_name() const { return "AttentionLayer"; }

void AttentionLayer::visit(Visitor& visitor) { visitor.module("linears", linears); }

}  // namespace heed::nn
