// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "bind.h"

#include <heed/optim.h>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace heed::python {
namespace {

using optim::Optimizer;
using Parameters = std::vector<Tensor>;

template <class Adam, class Options>
void bind_adam(nb::module_& m, const char* name, double weight_decay, const char* doc) {
  nb::class_<Adam, Optimizer>(m, name, doc)
      .def(
          "__init__",
          [](Adam* self, const Parameters& parameters, double lr, double beta1, double beta2, double epsilon,
             double decay, bool amsgrad) {
            new (self) Adam(parameters, Options{lr, beta1, beta2, epsilon, decay, amsgrad});
          },
          "parameters"_a, "lr"_a = 1e-3, nb::kw_only(), "beta1"_a = 0.9, "beta2"_a = 0.999,
          "epsilon"_a = 1e-8, "weight_decay"_a = weight_decay, "amsgrad"_a = false);
}

}  // namespace

void bind_optim(nb::module_& m) {
  nb::class_<Optimizer>(
      m, "Optimizer",
      "Changes parameters in place by their gradients; the numbers are those of PyTorch.\n\n"
      ">>> w = heed.ones((1,)).requires_grad_()\n>>> sgd = heed.optim.SGD([w], lr=0.5)\n"
      ">>> (w * w).backward(); sgd.step(); w.item()\n0.0")
      .def("step", &Optimizer::step, WhileComputing(), "One update of every parameter that has a gradient.")
      .def("zero_grad", &Optimizer::zero_grad, "Clears the gradients.")
      .def_prop_rw("lr", &Optimizer::lr, &Optimizer::set_lr, "The learning rate.")
      .def_prop_ro("parameters", &Optimizer::parameters, nb::rv_policy::copy, "What is being learned.")
      .def("state", &Optimizer::state, "What is remembered, by position of the parameter.")
      .def(
          "load_state",
          [](Optimizer& optimizer, const std::map<std::string, Input>& state) {
            optimizer.load_state({state.begin(), state.end()});
          },
          "state"_a, "Copies in what an optimiser of the same kind remembered.");
  using optim::SGD;
  nb::class_<SGD, Optimizer>(
      m, "SGD",
      "Gradient descent, with momentum if asked for.\n\n"
      ">>> w = heed.ones((1,)).requires_grad_()\n>>> heed.optim.SGD([w], lr=0.5).lr\n0.5")
      .def(
          "__init__",
          [](SGD* self, const Parameters& parameters, double lr, double momentum, double dampening,
             double weight_decay, bool nesterov) {
            new (self) SGD(parameters, {lr, momentum, dampening, weight_decay, nesterov});
          },
          "parameters"_a, "lr"_a = 1e-3, nb::kw_only(), "momentum"_a = 0.0, "dampening"_a = 0.0,
          "weight_decay"_a = 0.0, "nesterov"_a = false);
  bind_adam<optim::Adam, optim::AdamOptions>(
      m, "Adam", 0.0,
      "Adam, with AMSGrad if asked for.\n\n>>> w = heed.ones((1,)).requires_grad_()\n>>> "
      "heed.optim.Adam([w]).lr\n0.001");
  bind_adam<optim::AdamW, optim::AdamWOptions>(m, "AdamW", 1e-2,
                                               "Adam whose weight decay does not pass through the "
                                               "moments.\n\n>>> w = heed.ones((1,)).requires_grad_()\n"
                                               ">>> heed.optim.AdamW([w]).lr\n0.001");
  m.def(
      "clip_grad_norm",
      [](const Parameters& parameters, double max_norm) {
        return optim::clip_grad_norm(parameters, max_norm);
      },
      "parameters"_a, "max_norm"_a,
      "Scales the gradients so that their joint norm is at most max_norm; gives the norm before.\n\n"
      ">>> w = heed.ones((1,)).requires_grad_()\n>>> (w * 3).backward()\n>>> heed.optim.clip_grad_norm([w], "
      "1.0)\n3.0");
}

}  // namespace heed::python
