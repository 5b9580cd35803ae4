// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How Python values become arguments of the library, and back.
#pragma once

#include "array.h"
#include "dtypes.h"

#include <heed/mask.h>
#include <heed/scalar.h>
#include <heed/score.h>
#include <heed/tensor.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace heed::python {

/// A tensor made of whatever the caller has: a heed.Tensor, an array (borrowed), a number or nested lists.
struct Input : Tensor {};

/// The same for what is computed with: integers become f32.
struct Real : Tensor {};

/// The same where no number may be rounded on the way: what is no array becomes f64.
struct Exact : Tensor {};

/// A Mask, or a boolean array.
struct MaskInput : Mask {};

/// The same, or lengths as the notes' modules take them.
struct LengthsOrMask : Mask {};

/// A score, or the name of one that has no parameters of its own.
struct ScoreInput {
  Score score;
};

enum class Lengths : std::uint8_t { kRefused, kAccepted };
bool to_mask(nanobind::handle source, Mask& mask, Lengths lengths = Lengths::kRefused);
bool to_score(nanobind::handle source, Score& score);

}  // namespace heed::python

namespace nanobind::detail {

/// An argument that `kConvert` makes a tensor of.
template <class Kind, heed::Tensor (*kConvert)(handle, const char*)>
struct tensor_caster {
  NB_TYPE_CASTER(Kind, const_name("heed._typing.ArrayLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    if (source.is_none() || isinstance<str>(source)) return false;
    static_cast<heed::Tensor&>(value) = kConvert(source, "argument");
    return true;
  }
};
inline heed::Tensor convert_any(handle source, const char* where) {
  return heed::python::to_tensor(source, where);
}
template <>
struct type_caster<heed::python::Input> : tensor_caster<heed::python::Input, convert_any> {};
template <>
struct type_caster<heed::python::Real> : tensor_caster<heed::python::Real, heed::python::to_real> {};
template <>
struct type_caster<heed::python::Exact> : tensor_caster<heed::python::Exact, heed::python::to_exact> {};

template <>
struct type_caster<heed::python::MaskInput> {
  NB_TYPE_CASTER(heed::python::MaskInput, const_name("heed._typing.MaskLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    return !source.is_none() && heed::python::to_mask(source, value);
  }
};

template <>
struct type_caster<heed::python::LengthsOrMask> {
  NB_TYPE_CASTER(heed::python::LengthsOrMask, const_name("heed._typing.MaskLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    return !source.is_none() && heed::python::to_mask(source, value, heed::python::Lengths::kAccepted);
  }
};

template <>
struct type_caster<heed::python::ScoreInput> {
  NB_TYPE_CASTER(heed::python::ScoreInput, const_name("heed._typing.ScoreLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    return !source.is_none() && heed::python::to_score(source, value.score);
  }
};

/// An enumeration of nanobind's takes every integer that one of its values has. Not this one.
template <>
struct type_caster<heed::Dtype> {
  NB_TYPE_CASTER(heed::Dtype, io_name("heed._typing.DtypeLike", "heed._core.Dtype"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) {
    const std::optional<heed::Dtype> found = heed::python::to_dtype(source);
    value = found.value_or(heed::f32);
    return found.has_value();
  }

  static handle from_cpp(heed::Dtype dtype, rv_policy, cleanup_list*) {
    return heed::python::from_dtype(dtype).release();
  }
};

/// Sizes, or a choice of dimensions: a sequence of integers, or a single one.
template <class Sizes>
struct sizes_caster {
  NB_TYPE_CASTER(Sizes, io_name("int | collections.abc.Sequence[int]", "tuple[int, ...]"))

  bool from_python(handle source, std::uint8_t flags, cleanup_list*) {
    std::int64_t size = 0;
    if (isinstance<bool_>(source)) return false;
    if (try_cast(source, size, (flags & (std::uint8_t)cast_flags::convert) != 0)) {
      value.push_back(size);
      return true;
    }
    if (!isinstance<nanobind::tuple>(source) && !isinstance<list>(source)) return false;
    for (handle item : source) {
      if (isinstance<bool_>(item) || !try_cast(item, size)) return false;
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
