// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "layers/parameters.h"

#include <heed/error.h>
#include <heed/io.h>
#include <heed/quote.h>
#include <heed/suggest.h>

#include <fmt/format.h>

#include <vector>

namespace heed::command {
namespace {

using Tensors = std::map<std::string, Tensor>;

/// A matrix by the first of these names that is there.
Tensor matrix(const Tensors& tensors, const std::string& file, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) continue;
    if (found->second.rank() == 2) return found->second;
    throw Error(fmt::format("{}: {}: expected a matrix, found shape {}", printable(file), name,
                            to_string(found->second.shape())));
  }
  std::vector<std::string> there;
  for (const auto& [name, tensor] : tensors) there.push_back(name);
  const std::string near = nearest_name(names.front(), there);
  throw Error(fmt::format("{}: no tensor '{}'{}", printable(file), names.front(),
                          near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near))));
}

struct Sizes {
  std::int64_t hidden, query_size, key_size, value_size;
  bool bias;
  Dtype dtype;
};

Sizes sizes_of(const std::string& file) {
  const Tensors tensors = load_all(file);
  const auto weight = [&](const char* letter) {
    return matrix(
        tensors, file,
        {fmt::format("W_{}.weight", letter), fmt::format("{}_proj_weight", letter), "in_proj_weight"});
  };
  const Tensor W_q = weight("q");
  // PyTorch stacks all three when the sizes are equal.
  const bool stacked = tensors.contains("in_proj_weight");
  return {.hidden = stacked ? W_q.size(1) : W_q.size(0),
          .query_size = W_q.size(1),
          .key_size = weight("k").size(1),
          .value_size = weight("v").size(1),
          .bias = tensors.contains("W_q.bias") || tensors.contains("in_proj_bias"),
          .dtype = W_q.dtype()};
}

template <class Module>
Module with_parameters(Module module, const std::string& file) {
  nn::load(module, file);
  module.eval();
  return module;
}

}  // namespace

nn::MultiHeadAttention multi_head_attention(const std::string& file, std::int64_t heads) {
  const Sizes s = sizes_of(file);
  return with_parameters(nn::MultiHeadAttention({.hidden = s.hidden,
                                                 .heads = heads,
                                                 .bias = s.bias,
                                                 .query_size = s.query_size,
                                                 .key_size = s.key_size,
                                                 .value_size = s.value_size,
                                                 .dtype = s.dtype}),
                         file);
}

nn::SelfAttention self_attention(const std::string& file, std::int64_t heads) {
  const Sizes s = sizes_of(file);
  return with_parameters(
      nn::SelfAttention(
          {.hidden = s.hidden, .heads = heads, .bias = s.bias, .input_size = s.query_size, .dtype = s.dtype}),
      file);
}

nn::AttentionLayer attention_layer(const std::string& file) {
  const Tensor W = matrix(load_all(file), file, {"linears.0.weight"});
  return with_parameters(nn::AttentionLayer({.d_k = W.size(0), .d_input = W.size(1), .dtype = W.dtype()}),
                         file);
}

}  // namespace heed::command
