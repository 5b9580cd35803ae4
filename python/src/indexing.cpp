// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "indexing.h"

#include "shown.h"

#include <string>

namespace heed::python {
namespace nb = nanobind;
namespace {

[[noreturn]] void fail_type(nb::handle index) {
  const std::string found = kind_of(index);
  throw nb::type_error(("index must be made of integers, slices, None and ..., found " + found +
                        "; heed.where and heed.gather take tensors")
                           .c_str());
}

Slice to_slice(nb::handle index) {
  const auto part = [&](const char* name) {
    const nb::object value = index.attr(name);
    return value.is_none() ? std::nullopt : std::optional(nb::cast<std::int64_t>(value));
  };
  return {part("start"), part("stop"), part("step").value_or(1)};
}

bool is_integer(nb::handle index) {
  return PyIndex_Check(index.ptr()) != 0 && !nb::isinstance<nb::bool_>(index);
}

Tensor select(const Tensor& x, std::int64_t dim, nb::handle index) {
  const auto i = nb::cast<std::int64_t>(nb::steal(PyNumber_Index(index.ptr())));
  const std::int64_t n = x.size(dim);
  if (i < -n || i >= n) {
    throw nb::index_error(("index " + std::to_string(i) + " is out of range for dim " + std::to_string(dim) +
                           " of shape " + to_string(x.shape()))
                              .c_str());
  }
  return x.select(dim, i);
}

/// How many dimensions an index uses up.
std::int64_t width(nb::handle index) { return index.is_none() || index.is(Py_Ellipsis) ? 0 : 1; }

}  // namespace

Tensor index(const Tensor& x, nb::handle indices) {
  const nb::tuple list =
      nb::isinstance<nb::tuple>(indices) ? nb::borrow<nb::tuple>(indices) : nb::make_tuple(indices);
  std::int64_t used = 0;
  for (nb::handle one : list) used += width(one);
  if (used > x.rank()) {
    throw nb::index_error((std::to_string(used) + " indices for shape " + to_string(x.shape())).c_str());
  }
  Tensor view = x;
  std::int64_t dim = 0;
  for (nb::handle one : list) {
    if (one.is_none()) {
      view = view.unsqueeze(dim++);
    } else if (one.is(Py_Ellipsis)) {
      dim += x.rank() - used;
    } else if (nb::isinstance<nb::slice>(one)) {
      view = view.slice(dim++, to_slice(one));
    } else if (is_integer(one)) {
      view = select(view, dim, one);
    } else {
      fail_type(one);
    }
  }
  return view;
}

}  // namespace heed::python
