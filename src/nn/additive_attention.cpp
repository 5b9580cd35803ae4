// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/additive_attention.h>

#include "core/check.h"
#include "nn/sequences.h"

namespace heed::nn {
namespace {

const AdditiveAttentionOptions& checked(const AdditiveAttentionOptions& options) {
  const char* module = "AdditiveAttention";
  check(options.key_size >= 0, module, "key_size must be given and at least 0, found {}", options.key_size);
  check(options.query_size >= 0, module, "query_size must be given and at least 0, found {}",
        options.query_size);
  check(options.num_hiddens >= 0, module, "num_hiddens must be given and at least 0, found {}",
        options.num_hiddens);
  return options;
}

Linear projection(std::int64_t in, std::int64_t out, Dtype dtype) {
  return Linear({.in_features = in, .out_features = out, .bias = false, .dtype = dtype});
}

}  // namespace

AdditiveAttention::AdditiveAttention(const AdditiveAttentionOptions& options)
    : W_k(projection(checked(options).key_size, options.num_hiddens, options.dtype)),
      W_q(projection(options.query_size, options.num_hiddens, options.dtype)),
      w_v(projection(options.num_hiddens, 1, options.dtype)),
      dropout({.p = options.dropout}) {}

Tensor AdditiveAttention::operator()(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                     const Mask& mask) {
  const std::string module = type_name();
  check_sequences(module, queries, keys, values);
  check_width(module, queries, "queries", W_q.weight.size(1), "query_size");
  check_width(module, keys, "keys", W_k.weight.size(1), "key_size");
  AttendResult result =
      attend_with_weights(queries, keys, values,
                          {.score = Additive{.W_q = W_q.weight, .W_k = W_k.weight, .w_v = w_v.weight},
                           .mask = mask,
                           .dropout = dropout.rate()});
  weights_ = std::move(result.weights);
  return result.output;
}

Tensor AdditiveAttention::attention_weights(const WeightsPart& part) const {
  check_forwarded(type_name(), weights_.available());
  return weights_(part);
}

std::string AdditiveAttention::type_name() const { return "AdditiveAttention"; }

void AdditiveAttention::visit(Visitor& visitor) {
  visitor.module("W_k", W_k);
  visitor.module("W_q", W_q);
  visitor.module("w_v", w_v);
  visitor.module("dropout", dropout);
}

}  // namespace heed::nn
