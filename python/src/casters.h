// How Python values become arguments of the library, and back.
#pragma once

#include "array.h"

#include <heed/scalar.h>
#include <heed/tensor.h>

#include <nanobind/nanobind.h>

namespace heed::python {

/// A tensor made of whatever the caller has: a heed.Tensor, an array (borrowed), a number or nested lists.
struct Input : Tensor {};

}  // namespace heed::python

namespace nanobind::detail {

template <>
struct type_caster<heed::python::Input> {
  NB_TYPE_CASTER(heed::python::Input, const_name("heed._typing.ArrayLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    if (source.is_none() || isinstance<str>(source)) return false;
    static_cast<heed::Tensor&>(value) = heed::python::to_tensor(source, "argument");
    return true;
  }
};

/// Sizes, or a choice of dimensions: a sequence of integers, or a single one.
template <class Sizes>
struct sizes_caster {
  NB_TYPE_CASTER(Sizes, io_name("int | collections.abc.Sequence[int]", "tuple[int, ...]"))

  bool from_python(handle source, std::uint8_t flags, cleanup_list*) {
    std::int64_t size = 0;
    if (try_cast(source, size, (flags & (std::uint8_t)cast_flags::convert) != 0)) {
      value.push_back(size);
      return true;
    }
    if (!isinstance<nanobind::tuple>(source) && !isinstance<list>(source)) return false;
    for (handle item : source) {
      if (!try_cast(item, size)) return false;
      value.push_back(size);
    }
    return true;
  }

  static handle from_cpp(const Sizes& sizes, rv_policy, cleanup_list*) {
    list items;
    for (std::int64_t size : sizes) items.append(size);
    return nanobind::tuple(items).release();
  }
};
template <>
struct type_caster<heed::Shape> : sizes_caster<heed::Shape> {};
template <>
struct type_caster<heed::Dims> : sizes_caster<heed::Dims> {};

template <>
struct type_caster<heed::Scalar> {
  NB_TYPE_CASTER(heed::Scalar, const_name("float"))
  type_caster() : value(0) {}

  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    if (std::int64_t integer = 0; isinstance<int_>(source) && try_cast(source, integer)) {
      value = integer;
      return true;
    }
    if (!isinstance<float_>(source)) return false;
    value = cast<double>(source);
    return true;
  }
};

}  // namespace nanobind::detail
