// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "take.h"

namespace heed::python {
namespace nb = nanobind;

void refuse_array(nb::python_error& cause, const std::string& text) {
  nb::raise_from(cause, nb::module_::import_("heed").attr("Error"), "%s", text.c_str());
  throw nb::python_error();
}

void check_unmasked(nb::handle array, const char* where) {
  const nb::object masked = nb::steal(PyImport_GetModule(nb::str("numpy.ma").ptr()));
  if (!masked.is_valid()) {
    PyErr_Clear();  // nobody has made one yet
    return;
  }
  if (!nb::isinstance(array, masked.attr("MaskedArray"))) return;
  if (nb::cast<bool>(nb::bool_(masked.attr("is_masked")(array)))) {
    throw Error(
        std::string(where) +
        " has masked entries, whose mask would be lost: pass x.filled(value) of x, or a mask beside it");
  }
}

bool is_refusal(const nb::python_error& error) {
  return error.matches(PyExc_BufferError) || error.matches(PyExc_TypeError);
}

nb::object capsule_of(nb::handle array, bool writable) {
  const nb::object make = array.attr("__dlpack__");
  const nb::dict versioned;
  versioned["max_version"] = nb::make_tuple(1, 0);
  try {
    return writable ? make(**versioned) : make();
  } catch (nb::python_error& first) {
    if (!is_refusal(first)) throw;
    try {
      return writable ? make() : make(**versioned);
    } catch (nb::python_error& second) {
      if (!is_refusal(second)) throw;
    }
    throw;
  }
}

}  // namespace heed::python
