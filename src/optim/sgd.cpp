// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/optim/sgd.h>

#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "optim/hyperparameter.h"

namespace heed::optim {
namespace {

template <class T>
struct SgdNumbers {
  T lr, momentum, undamped, weight_decay;
};

// Plain loops over numbers taken by value, which compilers turn into vector code.

template <class T>
void descend(T* p, const T* g, std::int64_t count, SgdNumbers<T> c) {
  for (std::int64_t i = 0; i < count; ++i)
    p[i] -= c.lr * (c.weight_decay == 0 ? g[i] : g[i] + c.weight_decay * p[i]);
}

template <class T, bool kNesterov>
void descend_with_momentum(T* p, const T* g, T* m, std::int64_t count, SgdNumbers<T> c) {
  for (std::int64_t i = 0; i < count; ++i) {
    const T d = c.weight_decay == 0 ? g[i] : g[i] + c.weight_decay * p[i];
    const T mean = c.momentum * m[i] + c.undamped * d;
    m[i] = mean;
    p[i] -= c.lr * (kNesterov ? d + c.momentum * mean : mean);
  }
}

}  // namespace

SGD::SGD(std::vector<Tensor> parameters, const SGDOptions& options)
    : Optimizer(std::move(parameters),
                {.name = "SGD",
                 .memory_names = options.momentum == 0 ? std::vector<std::string>{}
                                                       : std::vector<std::string>{"momentum_buffer"},
                 .lr = options.lr}),
      options_(options) {
  check_not_negative("SGD", "momentum", options.momentum);
  check_not_negative("SGD", "weight_decay", options.weight_decay);
  check(std::isfinite(options.dampening), "SGD", "dampening must be finite, found {}", options.dampening);
  check(!options.nesterov || (options.momentum > 0 && options.dampening == 0), "SGD",
        "nesterov needs momentum above 0 and no dampening, found momentum = {}, dampening = {}",
        options.momentum, options.dampening);
}

void SGD::update(const Tensor& parameter, const Tensor& grad, const Memory& memory) {
  visit_floating(parameter.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* p = parameter.mutable_data<T>();
    const T* g = grad.data<T>();
    T* m = memory.tensors.empty() ? nullptr : memory.tensors[0].mutable_data<T>();
    const SgdNumbers<T> numbers{.lr = static_cast<T>(lr()),
                                .momentum = static_cast<T>(options_.momentum),
                                .undamped = static_cast<T>(memory.step == 1 ? 1 : 1 - options_.dampening),
                                .weight_decay = static_cast<T>(options_.weight_decay)};
    parallel_for(parameter.numel(), kUpdateGrain, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t count = end - begin;
      if (!m) {
        descend(p + begin, g + begin, count, numbers);
      } else if (options_.nesterov) {
        descend_with_momentum<T, true>(p + begin, g + begin, m + begin, count, numbers);
      } else {
        descend_with_momentum<T, false>(p + begin, g + begin, m + begin, count, numbers);
      }
    });
  });
}

}  // namespace heed::optim
