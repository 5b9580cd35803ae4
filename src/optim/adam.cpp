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
struct Coefficients {
  T keep;        ///< the parameter's share that is left by a decay of its own
  T grad_decay;  ///< the parameter's share in the gradient
  T one_minus_beta1, beta2, one_minus_beta2, epsilon;
  T step_size;    ///< lr / (1 - beta1^t)
  T correction2;  ///< sqrt(1 - beta2^t)
};

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
  const bool by_itself = decay_ == Decay::kParameter;
  const auto t = static_cast<double>(memory.step);
  visit_floating(parameter.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Coefficients<T> c{.keep = static_cast<T>(by_itself ? 1 - lr() * options_.weight_decay : 1),
                            .grad_decay = static_cast<T>(by_itself ? 0 : options_.weight_decay),
                            .one_minus_beta1 = static_cast<T>(1 - options_.beta1),
                            .beta2 = static_cast<T>(options_.beta2),
                            .one_minus_beta2 = static_cast<T>(1 - options_.beta2),
                            .epsilon = static_cast<T>(options_.epsilon),
                            .step_size = static_cast<T>(lr() / (1 - std::pow(options_.beta1, t))),
                            .correction2 = static_cast<T>(std::sqrt(1 - std::pow(options_.beta2, t)))};
    T* p = parameter.mutable_data<T>();
    const T* g = grad.data<T>();
    T* m = memory.tensors[0].mutable_data<T>();
    T* v = memory.tensors[1].mutable_data<T>();
    T* largest = options_.amsgrad ? memory.tensors[2].mutable_data<T>() : nullptr;
    parallel_for(parameter.numel(), kUpdateGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        p[i] *= c.keep;
        T d = g[i];
        if (c.grad_decay != 0) d += c.grad_decay * p[i];
        m[i] += c.one_minus_beta1 * (d - m[i]);
        v[i] = c.beta2 * v[i] + c.one_minus_beta2 * d * d;
        T second = v[i];
        if (largest) second = largest[i] = second <= largest[i] ? largest[i] : second;  // NaN wins
        p[i] -= c.step_size * m[i] / (std::sqrt(second) / c.correction2 + c.epsilon);
      }
    });
  });
}

}  // namespace heed::optim
