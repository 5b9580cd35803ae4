// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/optim/adam.h>

#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "optim/hyperparameter.h"

#include <cmath>

namespace heed::optim {
namespace {

std::vector<std::string> memory_names(bool amsgrad) {
  std::vector<std::string> names = {"exp_avg", "exp_avg_sq"};
  if (amsgrad) names.emplace_back("max_exp_avg_sq");
  return names;
}

template <class T>
struct AdamNumbers {
  T kept, weight_decay, one_minus_beta1, beta2, one_minus_beta2, epsilon, step_size, correction2;
};

template <class T>
struct Moments {
  T* mean;
  T* square;
  T* largest;  ///< the largest square so far, with amsgrad
};

/// A plain loop over numbers taken by value, which compilers turn into vector code.
template <bool kAmsgrad, class T>
void descend(T* p, const T* g, Moments<T> memory, std::int64_t count, AdamNumbers<T> c) {
  for (std::int64_t i = 0; i < count; ++i) {
    const T before = c.kept * p[i];
    const T d = c.weight_decay == 0 ? g[i] : g[i] + c.weight_decay * before;
    const T mean = memory.mean[i] + c.one_minus_beta1 * (d - memory.mean[i]);
    T square = c.beta2 * memory.square[i] + c.one_minus_beta2 * d * d;
    memory.mean[i] = mean;
    memory.square[i] = square;
    if constexpr (kAmsgrad) {
      square = square <= memory.largest[i] ? memory.largest[i] : square;  // NaN wins
      memory.largest[i] = square;
    }
    p[i] = before - c.step_size * mean / (std::sqrt(square) / c.correction2 + c.epsilon);
  }
}

}  // namespace

Adam::Adam(std::vector<Tensor> parameters, const AdamOptions& options)
    : Adam(std::move(parameters), options, {.name = "Adam", .decay = Decay::kGradient}) {}

Adam::Adam(std::vector<Tensor> parameters, const AdamOptions& options, const Variant& variant)
    : Optimizer(std::move(parameters),
                {.name = variant.name, .memory_names = memory_names(options.amsgrad), .lr = options.lr}),
      options_(options),
      decay_(variant.decay) {
  check_decay_rate(variant.name, "beta1", options.beta1);
  check_decay_rate(variant.name, "beta2", options.beta2);
  check_not_negative(variant.name, "epsilon", options.epsilon);
  check_not_negative(variant.name, "weight_decay", options.weight_decay);
}

void Adam::update(const Tensor& parameter, const Tensor& grad, const Memory& memory) {
  const auto t = static_cast<double>(memory.step);
  const bool by_itself = decay_ == Decay::kParameter;
  visit_floating(parameter.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* p = parameter.mutable_data<T>();
    const T* g = grad.data<T>();
    T* mean = memory.tensors[0].mutable_data<T>();
    T* square = memory.tensors[1].mutable_data<T>();
    T* largest = options_.amsgrad ? memory.tensors[2].mutable_data<T>() : nullptr;
    const AdamNumbers<T> numbers{.kept = static_cast<T>(by_itself ? 1 - lr() * options_.weight_decay : 1),
                                 .weight_decay = static_cast<T>(by_itself ? 0 : options_.weight_decay),
                                 .one_minus_beta1 = static_cast<T>(1 - options_.beta1),
                                 .beta2 = static_cast<T>(options_.beta2),
                                 .one_minus_beta2 = static_cast<T>(1 - options_.beta2),
                                 .epsilon = static_cast<T>(options_.epsilon),
                                 .step_size = static_cast<T>(lr() / (1 - std::pow(options_.beta1, t))),
                                 .correction2 = static_cast<T>(std::sqrt(1 - std::pow(options_.beta2, t)))};
    parallel_for(parameter.numel(), kUpdateGrain, [&](std::int64_t begin, std::int64_t end) {
      if (largest) {
        descend<true>(p + begin, g + begin, {mean + begin, square + begin, largest + begin}, end - begin,
                      numbers);
      } else {
        descend<false>(p + begin, g + begin, {mean + begin, square + begin, nullptr}, end - begin, numbers);
      }
    });
  });
}

}  // namespace heed::optim
