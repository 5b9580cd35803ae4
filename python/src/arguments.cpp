// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A call whose arguments fit no signature: nanobind lists all signatures and the types it was called with, but does not say
// which argument is wrong. heed/_arguments.py does. It is asked when a call has failed; one that succeeds takes as long as
// before, but for a jump.
#include "bind.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace heed::python {
namespace {

using Call = PyObject* (*)(PyObject*, PyObject* const*, std::size_t, PyObject*);

/// nanobind has a few functions through which it calls all others.
constexpr std::size_t kCalls = 8;
std::array<Call, kCalls> calls = {};

/// The arguments of a call, as Python knows them.
struct Given {
  Given(PyObject* const* args, std::size_t flags, PyObject* names) {
    // The highest bit is Python's, the next one nanobind's.
    const std::size_t count = flags << 2 >> 2;
    nb::list first;
    for (std::size_t i = 0; i < count; ++i) first.append(nb::handle(args[i]));
    positional = nb::tuple(first);
    const std::size_t more = names ? nb::len(nb::handle(names)) : 0;
    for (std::size_t i = 0; i < more; ++i) named[nb::handle(names)[i]] = nb::handle(args[count + i]);
  }
  nb::tuple positional;
  nb::dict named;
};

/// After a call has failed: puts a better text in the place of nanobind's, if there is one.
void explain(PyObject* function, PyObject* const* args, std::size_t flags, PyObject* names) {
  nb::python_error error;  // takes the one that is set
  try {
    const nb::str text(error.value());
    const std::string_view said = text.c_str();
    // The second is what an argument says that became no tensor: it does not know its own name.
    if (said.find("(): incompatible function arguments.") != said.npos || said.starts_with("argument ")) {
      const Given given(args, flags, names);
      const nb::object better =
          nb::module_::import_("heed._arguments")
              .attr("explain")(nb::handle(function), given.positional, given.named, text);
      if (!better.is_none()) {
        PyErr_SetObject(error.type().ptr(), better.ptr());
        return;
      }
    }
  } catch (nb::python_error&) {
    PyErr_Clear();  // an explanation that fails is none
  }
  error.restore();
}

template <std::size_t N>
PyObject* explained(PyObject* function, PyObject* const* args, std::size_t flags, PyObject* names) {
  PyObject* result = calls[N](function, args, flags, names);
  if (!result) [[unlikely]]
    explain(function, args, flags, names);
  return result;
}

template <std::size_t... N>
constexpr std::array<Call, kCalls> all_explained(std::index_sequence<N...>) {
  return {explained<N>...};
}

/// Where a function object of nanobind's keeps the address through which it is called; null if not where it is expected.
Call* address_of_call(nb::handle function) {
  auto* slot = reinterpret_cast<Call*>(reinterpret_cast<std::byte*>(function.ptr()) + sizeof(PyVarObject));
  return *slot == reinterpret_cast<Call>(PyVectorcall_Function(function.ptr())) ? slot : nullptr;
}

void explain_calls_of(nb::handle function) {
  static constexpr std::array<Call, kCalls> kExplained = all_explained(std::make_index_sequence<kCalls>());
  Call* slot = address_of_call(function);
  if (!slot) return;
  for (std::size_t n = 0; n < kCalls; ++n) {
    if (*slot == kExplained[n]) return;  // one function under two names
    if (calls[n] && calls[n] != *slot) continue;
    calls[n] = std::exchange(*slot, kExplained[n]);
    return;
  }
}

}  // namespace

void explain_arguments(nb::handle scope) {
  const nb::object items = scope.attr("__dict__").attr("copy")().attr("values")();
  for (nb::handle value : items) {
    const nb::str type = nb::borrow<nb::str>(value.type().attr("__name__"));
    const std::string_view name = type.c_str();
    if (name == "nb_func" || name == "nb_method") {
      explain_calls_of(value);
    } else if (PyType_Check(value.ptr())) {
      explain_arguments(value);
    }
  }
}

}  // namespace heed::python
