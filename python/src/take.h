// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Objects of other libraries as nanobind's arrays.
#pragma once

#include "shown.h"

#include <heed/error.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>
#include <utility>

namespace heed::python {

/// heed.Error, with what its library said of the array as the cause.
[[noreturn]] void refuse_array(nanobind::python_error& cause, const std::string& text);

/// An Error for a masked array of NumPy's with masked entries: its data would come without its mask.
void check_unmasked(nanobind::handle array, const char* where);

/// What __dlpack__ says of an array that it cannot describe. Whatever else it raises is not heed's to judge.
bool is_refusal(const nanobind::python_error& error);

/// The capsule of an array with __dlpack__. Those that are only read are asked for the old kind first, which most
/// libraries make faster; the new one says whether memory is read-only.
nanobind::object capsule_of(nanobind::handle array, bool writable);

/// Not left to nanobind, which takes a capsule that it has been given before, and forgets what __dlpack__ raises.
template <class Array>
std::optional<Array> take_by_dlpack(nanobind::handle array, const char* where, bool writable) {
  const nanobind::object capsule = capsule_of(array, writable);
  if (!PyCapsule_IsValid(capsule.ptr(), "dltensor") &&
      !PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    throw Error(
        std::string(where) + " must give a new DLPack capsule at each call of __dlpack__, found " +
        (PyCapsule_CheckExact(capsule.ptr()) ? "one that was used before" : kind_of(capsule).c_str()));
  }
  Array taken;
  return nanobind::try_cast(capsule, taken, false) ? std::optional(std::move(taken)) : std::nullopt;
}

/// By __dlpack__, or else the buffer protocol. Nothing where neither can describe the array, or it is not writable.
template <class Array>
std::optional<Array> take(nanobind::handle array, const char* where, bool writable = false) {
  Array taken;
  if (!nanobind::hasattr(array, "__dlpack__")) {
    return nanobind::try_cast(array, taken, false) ? std::optional(std::move(taken)) : std::nullopt;
  }
  try {
    if (std::optional<Array> found = take_by_dlpack<Array>(array, where, writable)) return found;
  } catch (nanobind::python_error& error) {
    if (!is_refusal(error)) throw;
    const nanobind::object buffer = nanobind::steal(PyMemoryView_FromObject(array.ptr()));
    if (buffer.is_valid() && nanobind::try_cast(buffer, taken, false)) return taken;
    PyErr_Clear();
    if (error.matches(PyExc_TypeError)) throw;
    refuse_array(
        error, std::string(where) + " has elements or strides that neither DLPack nor a buffer can describe");
  }
  return std::nullopt;
}

}  // namespace heed::python
