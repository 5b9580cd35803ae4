// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What the bindings of all modules have in common.
#pragma once

#include "bind.h"

#include <heed/attend.h>
#include <heed/nn/module.h>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace heed::python {

using Indices = std::vector<std::int64_t>;

inline Mask mask_or_all(const std::optional<LengthsOrMask>& mask) { return mask ? Mask(*mask) : Mask(); }

/// A keyword argument by name and value.
struct Keyword {
  template <class T>
  Keyword(const char* key, const T& argument) : name(key), value(nb::cast(argument)) {}
  const char* name;
  nb::object value;
};

inline nb::dict keywords(std::initializer_list<Keyword> list) {
  nb::dict result;
  for (const Keyword& keyword : list) result[keyword.name] = keyword.value;
  return result;
}

/// Lets the module be pickled and deep-copied: `options` gives the keyword arguments that make one like it.
template <class M, class Base, class Options>
void bind_pickling(nb::class_<M, Base>& cls, Options options) {
  cls.def("__reduce__", [options](nb::handle self) {
    const M& module = nb::cast<const M&>(self);
    nb::list frozen;
    for (const auto& [name, parameter] : module.named_parameters()) {
      if (!parameter.requires_grad()) frozen.append(name.c_str());
    }
    const nb::object rebuild = nb::module_::import_("heed._pickle").attr("rebuild_module");
    return nb::make_tuple(rebuild, nb::make_tuple(self.type(), options(module), self.attr("state")(), frozen,
                                                  module.is_training()));
  });
}

/// queries, keys, values and a mask in. The notes pass lengths where the mask is.
template <class M, class Base>
void bind_attention_calls(nb::class_<M, Base>& cls) {
  cls.def(
      "__call__",
      [](M& module, const Real& queries, const Real& keys, const Real& values,
         const std::optional<LengthsOrMask>& mask) {
        return module(queries, keys, values, mask_or_all(mask));
      },
      "queries"_a, "keys"_a, "values"_a, "mask"_a = nb::none(), WhileComputing());
}

template <class M, class Base>
void bind_attention_weights(nb::class_<M, Base>& cls) {
  cls.def(
      "attention_weights",
      [](const M& module, const Indices& heads, const Indices& rows) {
        return module.attention_weights({heads, rows});
      },
      nb::kw_only(), "heads"_a = nb::tuple(), "rows"_a = nb::tuple(), WhileComputing(),
      "The weights of the last forward, before dropout, computed now and only where asked for.");
}

}  // namespace heed::python
