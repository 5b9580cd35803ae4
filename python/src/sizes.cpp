// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "sizes.h"

#include "casters.h"
#include "shown.h"

#include <string>

namespace heed::python {
namespace nb = nanobind;

Shape sizes_of(const nb::args& given, const char* where) {
  Shape sizes;
  const auto refuse = [&](nb::handle found) {
    const nb::object last = given[given.size() - 1];
    const bool type = given.size() > 1 && to_dtype(last).has_value();
    throw nb::type_error((std::string(where) + " must be ints or one sequence of ints, found " +
                          kind_of(type ? nb::handle(last) : found) +
                          (type ? "; a type is given by name, as in dtype=heed.f64" : ""))
                             .c_str());
  };
  if (given.size() == 1) {
    if (!nb::try_cast(given[0], sizes)) refuse(given[0]);
    return sizes;
  }
  for (nb::handle one : given) {
    std::int64_t size = 0;
    if (nb::isinstance<nb::bool_>(one) || !nb::try_cast(one, size)) refuse(one);
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace heed::python
