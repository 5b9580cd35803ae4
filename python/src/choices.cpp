// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Masks and scores as callers may write them.
#include "bind.h"

#include <nanobind/ndarray.h>

#include <string>

namespace heed::python {

bool to_mask(nb::handle source, Mask& mask, Lengths lengths) {
  if (const Mask * given; nb::try_cast(source, given, false) && given) {
    mask = *given;
    return true;
  }
  if (nb::isinstance<nb::str>(source)) return false;
  const bool is_list = nb::isinstance<nb::list>(source) || nb::isinstance<nb::tuple>(source);
  if (!is_list && !nb::isinstance<Tensor>(source) && !nb::ndarray_check(source)) return false;
  const Tensor allowed = to_tensor(source, "argument");
  if (allowed.dtype() == boolean) {
    mask = heed::mask(allowed);
  } else if (allowed.dtype() == i64 && lengths == Lengths::kAccepted) {
    mask = valid_lens(allowed);
  } else {
    return false;
  }
  return true;
}

bool to_score(nb::handle source, Score& score) {
  const auto take = [&]<class S>(const S*) {
    const S* given = nullptr;
    if (!nb::try_cast(source, given, false) || !given) return false;
    score = *given;
    return true;
  };
  if (take(static_cast<const ScaledDot*>(nullptr)) || take(static_cast<const Dot*>(nullptr)) ||
      take(static_cast<const Gaussian*>(nullptr)) || take(static_cast<const Additive*>(nullptr))) {
    return true;
  }
  if (!nb::isinstance<nb::str>(source)) return false;
  const std::string name = nb::borrow<nb::str>(source).c_str();
  if (name == "scaled-dot" || name == "scaled_dot") {
    score = ScaledDot{};
  } else if (name == "dot") {
    score = Dot{};
  } else if (name == "gaussian") {
    score = Gaussian{};
  } else {
    return false;
  }
  return true;
}

}  // namespace heed::python
