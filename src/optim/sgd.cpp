#include <heed/optim/sgd.h>

#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "optim/hyperparameter.h"

namespace heed::optim {
namespace {

template <class T>
struct Coefficients {
  T lr, momentum, undamped, weight_decay;
};

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
    const Coefficients<T> c{static_cast<T>(lr()), static_cast<T>(options_.momentum),
                            static_cast<T>(memory.step == 1 ? 1 : 1 - options_.dampening),
                            static_cast<T>(options_.weight_decay)};
    T* p = parameter.mutable_data<T>();
    const T* g = grad.data<T>();
    T* m = options_.momentum == 0 ? nullptr : memory.tensors[0].mutable_data<T>();
    parallel_for(parameter.numel(), kUpdateGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        T d = g[i];
        if (c.weight_decay != 0) d += c.weight_decay * p[i];
        if (m) {
          m[i] = c.momentum * m[i] + c.undamped * d;
          d = options_.nesterov ? d + c.momentum * m[i] : m[i];
        }
        p[i] -= c.lr * d;
      }
    });
  });
}

}  // namespace heed::optim
