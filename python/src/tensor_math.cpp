// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Operations as methods of tensors.
#include "bind.h"

#include <heed/error.h>
#include <heed/ops.h>

#include <nanobind/stl/optional.h>

#include <string>

namespace heed::python {
namespace {

KeepDims keep(bool keepdim) { return keepdim ? KeepDims::kYes : KeepDims::kNo; }

/// Integers as f32, which all that has no whole result is computed in.
Tensor real(const Tensor& x) { return x.dtype() == i64 ? x.to(f32) : x; }

template <Tensor (*kOp)(const Tensor&)>
void bind_unary(nb::class_<Tensor>& cls, const char* name, const std::string& example) {
  const std::string doc = "heed." + std::string(name) + " of it.\n\n" + example;
  cls.def(
      name, [](const Tensor& x) { return kOp(real(x)); }, WhileComputing(), doc.c_str());
}

template <Tensor (*kOp)(const Tensor&, const Dims&, KeepDims)>
void bind_reduction(nb::class_<Tensor>& cls, const char* name, const std::string& example) {
  const std::string doc = "heed." + std::string(name) + " over dim, or everything.\n\n" + example;
  cls.def(
      name,
      [](const Tensor& x, const std::optional<Dims>& dim, bool keepdim) {
        return kOp(x, dim.value_or(Dims()), keep(keepdim));
      },
      "dim"_a = nb::none(), "keepdim"_a = false, WhileComputing(), doc.c_str());
}

Tensor clamped(const Tensor& x, std::optional<Scalar> least, std::optional<Scalar> most) {
  if (!least && !most) throw Error("clamp: min or max must be given");
  Tensor y = x;
  if (least) y = where(y < *least, full({}, *least, y.dtype()), y);
  if (most) y = where(y > *most, full({}, *most, y.dtype()), y);
  return y;
}

}  // namespace

void bind_tensor_math(nb::class_<Tensor>& cls) {
  bind_unary<heed::abs>(cls, "abs", ">>> heed.tensor([-2.0]).abs()\ntensor([2.])");
  bind_unary<heed::exp>(cls, "exp", ">>> heed.tensor([0.0]).exp()\ntensor([1.])");
  bind_unary<heed::log>(cls, "log", ">>> heed.tensor([1.0]).log()\ntensor([0.])");
  bind_unary<heed::sqrt>(cls, "sqrt", ">>> heed.tensor([4.0]).sqrt()\ntensor([2.])");
  bind_unary<heed::sin>(cls, "sin", ">>> heed.tensor([0.0]).sin()\ntensor([0.])");
  bind_unary<heed::cos>(cls, "cos", ">>> heed.tensor([0.0]).cos()\ntensor([1.])");
  bind_unary<heed::tanh>(cls, "tanh", ">>> heed.tensor([0.0]).tanh()\ntensor([0.])");
  bind_unary<heed::sigmoid>(cls, "sigmoid", ">>> heed.tensor([0.0]).sigmoid()\ntensor([0.5000])");
  bind_unary<heed::relu>(cls, "relu", ">>> heed.tensor([-1.0]).relu()\ntensor([0.])");
  bind_reduction<heed::sum>(cls, "sum", ">>> heed.ones(2, 3).sum(0)\ntensor([2., 2., 2.])");
  bind_reduction<heed::mean>(cls, "mean", ">>> heed.ones(2, 3).mean()\ntensor(1.)");
  bind_reduction<heed::max>(cls, "max", ">>> heed.eye(2).max(-1)\ntensor([1., 1.])");
  bind_reduction<heed::min>(cls, "min", ">>> heed.eye(2).min()\ntensor(0.)");
  cls.def(
         "argmax",
         [](const Tensor& x, std::optional<std::int64_t> dim, bool keepdim) {
           return dim ? argmax(x, *dim, keep(keepdim)) : argmax(x.reshape({-1}), 0);
         },
         "dim"_a = nb::none(), "keepdim"_a = false, WhileComputing(),
         "Index of the first largest element, along dim or in row-major order.\n\n>>> heed.eye(2).argmax(0)\n"
         "tensor([0, 1])")
      .def(
          "softmax", [](const Tensor& x, std::int64_t dim) { return softmax(real(x), dim); }, "dim"_a = -1,
          WhileComputing(), "exp(x) / sum exp(x)\n\n>>> heed.zeros(2).softmax()\ntensor([0.5000, 0.5000])")
      .def("clamp", &clamped, "min"_a = nb::none(), "max"_a = nb::none(), WhileComputing(),
           "What is below min becomes min, what is above max becomes max.\n\n>>> heed.tensor([-3.0, "
           "5.0]).clamp(min=0)\n"
           "tensor([0., 5.])");
}

}  // namespace heed::python
