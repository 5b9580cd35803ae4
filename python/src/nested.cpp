// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "nested.h"

#include "shown.h"
#include "take.h"

#include <heed/error.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed::python {
namespace nb = nanobind;
namespace {

/// Collects the numbers of nested lists in order, and their shape.
class Collector {
 public:
  explicit Collector(const char* where) : where_(where) {}

  void add(nb::handle value, std::int64_t depth) {
    const bool is_list = nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value);
    if (!is_list && is_array(value)) return add(value.attr("tolist")(), depth);
    if (!is_list) {
      meet(depth, -1);
      add_number(value);
      return;
    }
    meet(depth, static_cast<std::int64_t>(nb::len(value)));
    for (nb::handle item : value) add(item, depth + 1);
  }

  Tensor exact() const { return any_real_ ? from_vector(reals_, shape_) : from_vector(integers_, shape_); }

  Tensor tensor(std::optional<Dtype> dtype) const {
    const Dtype found = any_real_ || reals_.empty() ? f32 : any_integer_ ? i64 : boolean;
    return exact().to(dtype.value_or(found));
  }

 private:
  /// At this depth there is a list of `size`, or a number (-1); the first one met decides for all.
  void meet(std::int64_t depth, std::int64_t size) {
    if (depth == sizes_known_) {
      ++sizes_known_;
      if (size >= 0 && shape_.rank() == kMaxRank) {
        throw Error(std::string(where_) + " must have at most " + std::to_string(kMaxRank) +
                    " dimensions, found more nested lists");
      }
      if (size >= 0) shape_.push_back(size);
    }
    const std::int64_t expected = depth < shape_.rank() ? shape_[depth] : -1;
    if (size != expected) throw Error(std::string(where_) + " is made of nested lists of unequal length");
  }

  void add_number(nb::handle value) {
    std::int64_t integer = 0;
    double real = 0;
    if (is_boolean(value)) {
      integer = nb::cast<bool>(nb::bool_(value)) ? 1 : 0;
      real = static_cast<double>(integer);
    } else if (PyIndex_Check(value.ptr()) != 0 && nb::try_cast(value, integer)) {
      any_integer_ = true;
      real = static_cast<double>(integer);
    } else if (nb::try_cast(value, real)) {
      any_real_ = true;
    } else {
      throw nb::type_error((std::string(where_) +
                            " must be an array, a number or nested lists of numbers, found " + kind_of(value))
                               .c_str());
    }
    integers_.push_back(integer);
    reals_.push_back(real);
  }

  /// Python's, or NumPy's.
  static bool is_boolean(nb::handle value) {
    if (nb::isinstance<nb::bool_>(value)) return true;
    const nb::str type = nb::str(value.type().attr("__name__"));
    return std::string_view(type.c_str()).starts_with("bool") && nb::hasattr(value, "dtype");
  }

  bool is_array(nb::handle value) const {
    if (nb::isinstance<nb::float_>(value) || nb::isinstance<nb::int_>(value)) return false;
    if (!nb::hasattr(value, "tolist") || !nb::hasattr(value, "ndim")) return false;
    check_unmasked(value, where_);
    return nb::cast<std::int64_t>(value.attr("ndim")) > 0;
  }

  const char* where_;
  Shape shape_;
  std::int64_t sizes_known_ = 0;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  bool any_integer_ = false, any_real_ = false;
};

nb::object item(const Tensor& x) {
  switch (x.dtype()) {
    case Dtype::kBool: return nb::bool_(x.item<bool>());
    case Dtype::kI64: return nb::int_(x.item<std::int64_t>());
    default: return nb::float_(x.item<double>());
  }
}

}  // namespace

Tensor from_nested(nb::handle value, const char* where, std::optional<Dtype> dtype) {
  Collector collector(where);
  collector.add(value, 0);
  return collector.tensor(dtype);
}

Tensor from_nested_exactly(nb::handle value, const char* where) {
  Collector collector(where);
  collector.add(value, 0);
  return collector.exact();
}

nb::object to_nested(const Tensor& x) {
  if (x.rank() == 0) return item(x);
  nb::list list;
  for (std::int64_t i = 0; i < x.size(0); ++i) list.append(to_nested(x[i]));
  return list;
}

}  // namespace heed::python
