// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "modules.h"

#include <heed/nn/state_file.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/trampoline.h>

#include <sstream>

namespace heed::python {
namespace {

/// A module written in Python: its attributes are its parts.
class PythonModule final : public nn::Module {
 public:
  NB_TRAMPOLINE(nn::Module);

  std::string type_name() const override {
    return nb::cast<std::string>(nb_trampoline.base().type().attr("__name__"));
  }
  std::string options_text() const override { NB_OVERRIDE(options_text); }
  bool prints_runs() const override { NB_OVERRIDE(prints_runs); }

  void visit(Visitor& visitor) override {
    for (auto [key, value] : nb::cast<nb::dict>(nb_trampoline.base().attr("__dict__"))) {
      const auto name = nb::cast<std::string>(key);
      if (nn::Module * child; nb::try_cast(value, child, false) && child) {
        visitor.module(name, *child);
      } else if (Tensor * tensor;
                 nb::try_cast(value, tensor, false) && tensor && is_parameter(name, *tensor)) {
        visitor.parameter(name, *tensor);
      }
    }
  }

 private:
  static bool is_parameter(const std::string& name, const Tensor& tensor) {
    return !name.starts_with('_') && tensor.is_leaf() && is_floating(tensor.dtype());
  }
};

constexpr const char* kModuleDoc =
    R"(Base of everything with parameters. In a module of your own, every attribute that is a module or a floating-point
tensor is a part, unless its name begins with an underscore.

>>> class Twice(heed.nn.Module):
...     def __init__(self):
...         super().__init__()
...         self.layer = heed.nn.Linear(in_features=2, out_features=2)
...     def __call__(self, x):
...         return self.layer(self.layer(x))
>>> Twice()
Twice(
  (layer): Linear(in_features=2, out_features=2, bias=True)
)
>>> [name for name, _ in Twice().named_parameters()]
['layer.weight', 'layer.bias'])";

void bind_parameters(nb::class_<nn::Module, PythonModule>& cls) {
  using nn::Module;
  cls.def("named_parameters", &Module::named_parameters, "(dotted name, tensor) of every parameter.")
      .def("parameters", &Module::parameters, "Every parameter once.")
      .def("parameter_count", &Module::parameter_count, "How many numbers there are to learn.")
      .def("state", &Module::state, "Name to tensor, sharing the parameters' memory.")
      .def(
          "load_state",
          [](Module& module, const std::map<std::string, Input>& state) {
            module.load_state({state.begin(), state.end()});
          },
          "state"_a,
          "Copies values in. What does not fit is all listed in one Error, and nothing is changed.")
      .def("state_dict", &Module::state, "state(), by PyTorch's name.")
      .def(
          "load_state_dict",
          [](Module& module, const std::map<std::string, Input>& state) {
            module.load_state({state.begin(), state.end()});
          },
          "state_dict"_a, "load_state(), by PyTorch's name.")
      .def(
          "train",
          [](nb::object self, bool mode) {
            nb::cast<Module&>(self).train(mode);
            return self;
          },
          "mode"_a = true, nb::sig("def train(self, mode: bool = True) -> typing_extensions.Self"),
          "Switches training on: dropout acts. Gives the module back.")
      .def(
          "eval",
          [](nb::object self) {
            nb::cast<Module&>(self).eval();
            return self;
          },
          nb::sig("def eval(self) -> typing_extensions.Self"),
          "Switches training off. Gives the module back.")
      .def("options_text", &Module::options_text, "What is printed in the parentheses.")
      .def("prints_runs", &Module::prints_runs, "Whether runs of equal children are printed once.")
      .def_prop_ro("is_training", &Module::is_training, "Whether dropout acts.")
      .def_prop_ro("training", &Module::is_training, "is_training, by PyTorch's name.")
      .def("to", &Module::to, "dtype"_a, "Converts all parameters; before an optimiser gets them.")
      .def("zero_grad", &Module::zero_grad, "Clears the gradients.")
      .def("requires_grad_", &Module::requires_grad_, "wanted"_a, "Freezes or thaws every parameter.");
}

}  // namespace

void bind_modules(nb::module_& nn) {
  using nn::Module;
  nb::class_<Module, PythonModule> cls(nn, "Module", nb::dynamic_attr(), kModuleDoc);
  cls.def(nb::init<>())
      .def("__repr__", [](const Module& module) { return nn::to_string(module); })
      .def("__getstate__",
           [](nb::handle self) { return nb::make_tuple(self.attr("__dict__"), self.attr("is_training")); })
      .def("__setstate__", [](nb::handle self, const nb::tuple& state) {
        new (nb::inst_ptr<PythonModule>(self)) PythonModule();
        nb::inst_mark_ready(self);
        self.attr("__dict__").attr("update")(state[0]);
        self.attr("train")(state[1]);
      });
  bind_parameters(cls);
  nb::class_<nn::LoadReport>(nn, "LoadReport",
                             "What a file and a module did not have in common.\n\n"
                             ">>> net = heed.nn.Linear(in_features=2, out_features=2)\n"
                             ">>> heed.nn.save(net, tmp / \"net.safetensors\")\n"
                             ">>> heed.nn.load(net, tmp / \"net.safetensors\").missing\n[]")
      .def_ro("missing", &nn::LoadReport::missing, "Parameters the file does not have.")
      .def_ro("unexpected", &nn::LoadReport::unexpected, "Names of the file that are no parameters.");
  nn.def(
      "save",
      [](const Module& module, const std::filesystem::path& path) { nn::save(module, path.string()); },
      "module"_a, "path"_a, nb::sig("def save(module: Module, path: str | os.PathLike[str]) -> None"),
      "Writes every parameter to a .safetensors file.\n\n"
      ">>> heed.nn.save(heed.nn.Linear(in_features=2, out_features=2), tmp / \"net.safetensors\")");
  nn.def(
      "load",
      [](Module& module, const std::filesystem::path& path, bool strict) {
        return nn::load(module, path.string(), {strict});
      },
      "module"_a, "path"_a, nb::kw_only(), "strict"_a = true,
      nb::sig("def load(module: Module, path: str | os.PathLike[str], *, strict: bool = True) -> LoadReport"),
      "Copies the tensors of a .safetensors file into the parameters of those names; PyTorch's "
      "nn.MultiheadAttention "
      "fits a MultiHeadAttention.\n\n"
      ">>> net = heed.nn.Linear(in_features=2, out_features=2)\n"
      ">>> heed.nn.save(net, tmp / \"net.safetensors\")\n>>> report = heed.nn.load(net, tmp / "
      "\"net.safetensors\")");
}

}  // namespace heed::python
