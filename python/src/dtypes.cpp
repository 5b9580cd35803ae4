// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "dtypes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace heed::python {
namespace nb = nanobind;
namespace {

using Named = std::pair<std::string_view, Dtype>;
constexpr Named kNames[] = {
    {"f32", f32}, {"float32", f32}, {"f64", f64},      {"float64", f64},
    {"i64", i64}, {"int64", i64},   {"bool", boolean}, {"boolean", boolean},
};
/// What NumPy and Python call classes.
constexpr Named kClasses[] = {{"float", f64}, {"int", i64}, {"bool_", boolean}};

template <std::size_t N>
std::optional<Dtype> find(const Named (&names)[N], std::string_view name) {
  const Named* found = std::ranges::find(names, name, &Named::first);
  return found == std::end(names) ? std::nullopt : std::optional(found->second);
}

nb::handle enumeration() { return nb::type<Dtype>(); }

std::string attribute(nb::handle source, const char* name) {
  const nb::object value = nb::getattr(source, name, nb::none());
  return nb::isinstance<nb::str>(value) ? nb::borrow<nb::str>(value).c_str() : "";
}

bool is_of(nb::handle type, std::string_view library) {
  const std::string module = attribute(type, "__module__");
  return module == library || module.starts_with(std::string(library) + ".");
}

}  // namespace

std::optional<Dtype> to_dtype(nb::handle source) {
  if (source.type().is(enumeration())) {
    return find(kNames, attribute(source, "name"));
  }
  if (nb::isinstance<nb::str>(source)) return find(kNames, nb::borrow<nb::str>(source).c_str());
  if (PyType_Check(source.ptr())) {
    if (!is_of(source, "numpy") && !is_of(source, "builtins")) return {};
    const std::string name = attribute(source, "__name__");
    const std::optional<Dtype> named = find(kNames, name);
    return named ? named : find(kClasses, name);
  }
  if (is_of(source.type(), "numpy") && nb::hasattr(source, "kind"))
    return find(kNames, attribute(source, "name"));
  if (is_of(source.type(), "torch")) {
    const std::string name = nb::str(source).c_str();
    return find(kNames,
                std::string_view(name).substr(std::min(name.size(), std::size_t{6})));  // after "torch."
  }
  return {};
}

nb::object from_dtype(Dtype dtype) { return enumeration().attr(name(dtype)); }

}  // namespace heed::python
