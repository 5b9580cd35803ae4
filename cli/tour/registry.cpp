// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "registry.h"

#include "additive.h"
#include "attention_layer.h"
#include "bmm.h"
#include "dot_product.h"
#include "dropout.h"
#include "masked_softmax.h"
#include "multi_head.h"
#include "order.h"
#include "positions.h"
#include "regression.h"
#include "sample.h"
#include "self_attention.h"
#include "waist.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>

namespace heed::tour {
namespace {

/// Runs an experiment and prints its numbers; those without randomness take no seed.
template <auto Run>
void run(Page& page, [[maybe_unused]] std::uint64_t seed) {
  if constexpr (std::invocable<decltype(Run), std::uint64_t>) {
    show(page, Run(seed));
  } else {
    show(page, Run());
  }
}

constexpr auto kExperiments = std::to_array<Experiment>({
    {"waist", "A weight guessed from a waist", run<run_waist>, "waist"},
    {"sample", "Two-dimensional sample, with and without softmax", run<run_sample>, "sample"},
    {"regression", "Nadaraya-Watson kernel regression", run<run_regression>, "regression"},
    {"masked-softmax", "Softmax over the valid part", run<run_masked_softmax>, "masked_softmax"},
    {"bmm", "Batch matrix product", run<run_bmm>, "bmm"},
    {"additive", "Additive attention", run<run_additive>, "additive"},
    {"dot-product", "Scaled dot-product attention", run<run_dot_product>, "dot_product"},
    {"attention-layer", "One attention layer", run<run_attention_layer>, "attention_layer"},
    {"multi-head", "Multi-head attention", run<run_multi_head>, "multi_head"},
    {"self-attention", "Self-attention over 我 喜欢 吃 苹果", run<run_self_attention>, "self_attention"},
    {"positions", "Positional encoding", run<run_positions>, "positions"},
    {"order", "Learning what comes first", run<run_order>, "order"},
    {"dropout", "Dropout, training and evaluation", run<run_dropout>, "dropout"},
});

}  // namespace

std::span<const Experiment> experiments() { return kExperiments; }

const Experiment* find_experiment(std::string_view name_or_number) {
  std::size_t number = 0;
  const char* end = name_or_number.data() + name_or_number.size();
  const auto [stop, error] = std::from_chars(name_or_number.data(), end, number);
  if (error == std::errc{} && stop == end) {
    return number >= 1 && number <= kExperiments.size() ? &kExperiments[number - 1] : nullptr;
  }
  const auto* found = std::ranges::find(kExperiments, name_or_number, &Experiment::name);
  return found == kExperiments.end() ? nullptr : found;
}

}  // namespace heed::tour
