// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/dot_product_attention.h>

#include "core/check.h"
#include "nn/sequences.h"

namespace heed::nn {

DotProductAttention::DotProductAttention(const DotProductAttentionOptions& options)
    : dropout({.p = options.dropout}) {}

Tensor DotProductAttention::operator()(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                       const Mask& mask) {
  AttendResult result = attend_with_weights(queries, keys, values, {.mask = mask, .dropout = dropout.rate()});
  weights_ = std::move(result.weights);
  return result.output;
}

Tensor DotProductAttention::attention_weights(const WeightsPart& part) const {
  check_forwarded(type_name(), weights_.available());
  return weights_(part);
}

std::string DotProductAttention::type_name() const { return "DotProductAttention"; }

void DotProductAttention::visit(Visitor& visitor) { visitor.module("dropout", dropout); }

}  // namespace heed::nn
