// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed._core: the library as Python sees it. Bindings convert and name; they hold no logic.
#include "bind.h"

#include <heed/error.h>
#include <heed/version.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace {

/// What C++ says to choose from, as Python spells it.
std::string in_python(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"Align::kTopLeft", "align=\"top_left\""}, {"Align::kBottomRight", "align=\"bottom_right\""}};
  for (const auto& [cpp, python] : kSpellings) {
    for (std::size_t at = text.find(cpp); at != text.npos; at = text.find(cpp))
      text.replace(at, cpp.size(), python);
  }
  return text;
}

void translate(const std::exception_ptr& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (const heed::Error& error) {
    PyErr_SetString(static_cast<PyObject*>(type), in_python(error.what()).c_str());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace heed::python;
  // Objects that live until the interpreter ends are the user's business.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled part of heed; import heed instead.";
  m.def("version", &heed::version, "Of the library.\n\n>>> heed.version() == heed.__version__\nTrue");
  const nb::exception<heed::Error> error(m, "Error", PyExc_ValueError);
  nb::register_exception_translator(translate, error.ptr());
  error.attr("__module__") = "heed";
  error.attr("__doc__") =
      "Bad input: the text names the operation, the argument, what was expected and what was found.\n\n"
      ">>> heed.zeros((2, 3)) @ heed.zeros((4, 5))\nTraceback (most recent call last):\n"
      "heed.Error: matmul: inner sizes differ: (2, 3) x (4, 5)";
  bind_tensor(m);
  bind_runtime(m);
  bind_creation(m);
  bind_ops(m);
  bind_scores(m);
  bind_masks(m);
  bind_attend(m);
  bind_operator(m);
  bind_io(m);
  bind_tables(m);
  bind_regression(m);
  bind_viz(m);
  bind_charts(m);
  watch_threads();
  nb::module_ nn = m.def_submodule("_nn", "Modules; import heed.nn instead.");
  bind_modules(nn);
  bind_layers(nn);
  bind_attention_modules(nn);
  nb::module_ optim = m.def_submodule("_optim", "Optimisers; import heed.optim instead.");
  bind_optim(optim);
  for (nb::handle scope : {nb::handle(m), nb::handle(nn), nb::handle(optim)}) explain_arguments(scope);
}
