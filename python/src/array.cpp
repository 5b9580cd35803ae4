// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "array.h"

#include "call.h"
#include "exchange.h"
#include "integers.h"
#include "nested.h"
#include "take.h"

#include <heed/error.h>

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::python {
namespace nb = nanobind;
namespace {

std::string text(const nb::dlpack::dtype& dtype) {
  const char* letters[] = {"i", "u", "f", "opaque", "bf", "c", "boolean"};
  const std::string name =
      dtype.code < 7 ? letters[dtype.code] : "code " + std::to_string(dtype.code) + " of ";
  return dtype.code == 6 ? name : name + std::to_string(dtype.bits);
}

/// How an array is to be taken, and what it is called in an Error.
struct Wanted {
  const char* where;
  Access access = Access::kRead;
  Elements elements = Elements::kAny;
  bool writable = access == Access::kWrite;  ///< what was asked for may turn out to be read-only
};

Dtype element_type(const nb::dlpack::dtype& dtype, const Wanted& wanted) {
  if (dtype == nb::dtype<float>()) return f32;
  if (dtype == nb::dtype<double>()) return f64;
  if (dtype == nb::dtype<std::int64_t>()) return i64;
  if (dtype == nb::dtype<bool>()) return boolean;
  const char* expected = wanted.elements == Elements::kFloating ? "f32 or f64" : "f32, f64, i64 or boolean";
  throw Error(std::string(wanted.where) + " must be " + expected + ", found " + text(dtype));
}

/// Also where the library works without the GIL, and the last of a graph goes.
template <class Owner>
void let_go(Owner* owner) {
  std::optional<Asking> asking;
  if (!PyGILState_Check()) asking.emplace();
  delete owner;
}

/// Elements that lie at any address, as a new tensor.
Tensor copy_unaligned(const std::byte* data, const Shape& shape, const std::optional<Strides>& strides,
                      Dtype dtype) {
  Tensor copy = empty(shape, dtype);
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  auto* to = static_cast<std::byte*>(const_cast<void*>(memory_of(copy)));
  const Strides& from = strides ? *strides : copy.strides();
  for (std::int64_t n = 0; n < copy.numel(); ++n, to += size) {
    std::memcpy(to, data + offset_of(n, shape, from) * size, static_cast<std::size_t>(size));
  }
  return copy;
}

/// A tensor over memory that `owner` keeps alive.
template <class Owner>
Tensor borrow_memory(const nb::dlpack::dltensor& array, Owner owner, const Wanted& wanted) {
  const auto refuse = [&](const std::string& text) { throw Error(wanted.where + text); };
  if (array.device.device_type != nb::device::cpu::value) {
    refuse(" must be in the memory of the CPU");
  }
  const Widen widen = wanted.access == Access::kConvert ? widening(array.dtype) : nullptr;
  const Dtype dtype = widen ? i64 : element_type(array.dtype, wanted);
  const auto rank = static_cast<std::size_t>(array.ndim);
  if (rank > kMaxRank) {
    refuse(" must have at most " + std::to_string(kMaxRank) + " dimensions, found " + std::to_string(rank));
  }
  const Shape shape(std::span(array.shape, rank));
  BorrowOptions options;
  if (array.strides) options.strides = Strides(std::span(array.strides, rank));
  options.owner = std::shared_ptr<Owner>(new Owner(std::move(owner)), let_go<Owner>);
  std::byte* bytes = static_cast<std::byte*>(array.data) + array.byte_offset;
  if (widen) return widen(bytes, shape, options.strides, wanted.where);
  if (reinterpret_cast<std::uintptr_t>(bytes) % size_of(dtype) != 0) {
    if (wanted.access != Access::kWrite) return copy_unaligned(bytes, shape, options.strides, dtype);
    refuse(" must lie at a multiple of its elements' size, found it at an odd address");
  }
  void* data = bytes;
  const auto typed = [&]<class T>(T* first) {
    return wanted.writable ? borrow(first, shape, options)
                           : borrow(static_cast<const T*>(first), shape, options);
  };
  switch (dtype) {
    case Dtype::kF32: return typed(static_cast<float*>(data));
    case Dtype::kF64: return typed(static_cast<double*>(data));
    case Dtype::kI64: return typed(static_cast<std::int64_t*>(data));
    case Dtype::kBool: break;
  }
  return typed(static_cast<bool*>(data));
}

/// By nanobind: __dlpack__, or else the buffer protocol. It takes the GIL to let go of the array, and lets it be once the
/// interpreter has ended.
template <class Array>
Tensor borrow_slowly(Array array, const Wanted& wanted) {
  nb::dlpack::dltensor view;
  view.data = array.data_handle();
  view.device = {array.device_type(), array.device_id()};
  view.ndim = static_cast<std::int32_t>(array.ndim());
  view.dtype = array.dtype();
  view.shape = const_cast<std::int64_t*>(array.shape_ptr());
  view.strides = const_cast<std::int64_t*>(array.stride_ptr());
  view.byte_offset = array.byte_offset();
  return borrow_memory(view, std::move(array), wanted);
}

Tensor borrow_through(const ExchangeTable& table, nb::handle array, Wanted wanted) {
  ManagedArray* managed = nullptr;
  if (table.from_object(array.ptr(), &managed) != 0) {
    nb::python_error cause;
    const auto told = [&](const char* name) {
      return std::string(nb::str(nb::getattr(array, name, nb::str("another kind"))).c_str());
    };
    refuse_array(cause, std::string(wanted.where) + " must be a strided tensor of the CPU, found " +
                            told("layout") + " of " + told("device"));
  }
  constexpr std::uint64_t kReadOnly = 1;
  if (managed->flags & kReadOnly) wanted.writable = false;
  const nb::dlpack::dltensor view = managed->array;
  return borrow_memory(view, ManagedOwner(managed), wanted);
}

/// What would be lost silently: PyTorch would not notice that its gradients stop here.
void check_torch(nb::handle array, const char* where) {
  if (nb::cast<bool>(array.attr("requires_grad"))) {
    throw Error(std::string(where) +
                " requires a gradient of PyTorch's: call heed.torch.attend, or pass x.detach()");
  }
  // The memory of such a tensor has the opposite signs, and DLPack does not say so.
  if (nb::cast<bool>(array.attr("is_neg")())) {
    throw Error(std::string(where) + " is a negated view of PyTorch's: pass x.resolve_neg()");
  }
}

nb::dlpack::dtype dlpack_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF32: return nb::dtype<float>();
    case Dtype::kF64: return nb::dtype<double>();
    case Dtype::kI64: return nb::dtype<std::int64_t>();
    case Dtype::kBool: break;
  }
  return nb::dtype<bool>();
}

template <class... Options>
nb::object export_as(const Tensor& x) {
  std::size_t shape[kMaxRank];
  std::copy(x.shape().begin(), x.shape().end(), shape);
  using Array = nb::ndarray<Options...>;
  return nb::cast(Array(const_cast<void*>(memory_of(x)), static_cast<std::size_t>(x.rank()), shape,
                        nb::cast(x), x.strides().begin(), dlpack_type(x.dtype()), nb::device::cpu::value));
}

}  // namespace

const void* memory_of(const Tensor& x) {
  switch (x.dtype()) {
    case Dtype::kF32: return x.data<float>();
    case Dtype::kF64: return x.data<double>();
    case Dtype::kI64: return x.data<std::int64_t>();
    case Dtype::kBool: break;
  }
  return x.data<bool>();
}

namespace {

Origin origin_of_type(nb::handle type) {
  const nb::object module = nb::getattr(type, "__module__", nb::str(""));
  const std::string_view name = nb::isinstance<nb::str>(module) ? nb::borrow<nb::str>(module).c_str() : "";
  const Kind kind = name.starts_with("torch") ? Kind::kTorch
                    : name.starts_with("jax") ? Kind::kJax
                                              : Kind::kNumpy;
  return {kind, exchange_table(type)};
}

}  // namespace

Origin origin_of(nb::handle array) {
  if (nb::isinstance<Tensor>(array)) return {};
  // Nearly always the type of the last array. The reference keeps another type from getting its address.
  static PyObject* known = nullptr;
  static Origin origin;
  if (array.type().ptr() != known) {
    origin = origin_of_type(array.type());
    Py_XDECREF(std::exchange(known, nb::borrow(array.type()).release().ptr()));
  }
  return origin;
}

std::optional<Tensor> borrow_array(nb::handle array, const char* where, Access access, Elements elements) {
  if (Tensor * tensor; nb::try_cast(array, tensor, false) && tensor != nullptr)
    return *tensor;  // None casts too
  const Origin origin = origin_of(array);
  const bool checked = origin.kind == Kind::kTorch && access != Access::kOperator;
  if (checked && nb::hasattr(array, "requires_grad")) check_torch(array, where);
  const Wanted wanted{where, access, elements};
  if (origin.exchange) return borrow_through(*origin.exchange, array, wanted);
  if (!nb::ndarray_check(array)) return std::nullopt;
  check_unmasked(array, where);
  if (access == Access::kWrite) {
    if (std::optional<nb::ndarray<>> writable = take<nb::ndarray<>>(array, where, true)) {
      return borrow_slowly(*std::move(writable), wanted);
    }
  }
  if (std::optional<nb::ndarray<nb::ro>> readable = take<nb::ndarray<nb::ro>>(array, where)) {
    return borrow_slowly(*std::move(readable), {where, access, elements, false});
  }
  throw Error(std::string(where) + " has elements or strides that neither DLPack nor a buffer can describe");
}

std::optional<Tensor> array_tensor(nb::handle value, const char* where, Elements elements) {
  return borrow_array(value, where, Access::kConvert, elements);
}

Tensor to_tensor(nb::handle value, const char* where, std::optional<Dtype> dtype) {
  if (std::optional<Tensor> array = array_tensor(value, where)) return dtype ? array->to(*dtype) : *array;
  return from_nested(value, where, dtype);
}

Tensor to_real(nb::handle value, const char* where) {
  const Tensor x = to_tensor(value, where);
  return x.dtype() == i64 ? x.to(f32) : x;
}

Tensor to_exact(nb::handle value, const char* where) {
  const std::optional<Tensor> array = array_tensor(value, where);
  const Tensor x = array ? *array : from_nested_exactly(value, where);
  return x.dtype() == i64 ? x.to(f64) : x;
}

Tensor to_whole(const Tensor& x, const char* where) {
  if (!is_floating(x.dtype())) return x.to(i64);
  const std::vector<double> entries = x.to_vector();
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const double entry = entries[n];
    if (std::trunc(entry) != entry || std::abs(entry) >= 0x1p63) refuse_entry(x, n, nb::float_(entry), where);
  }
  return x.to(i64);
}

Tensor to_whole(nb::handle value, const char* where) {
  if (std::optional<Tensor> array = array_tensor(value, where)) return to_whole(*array, where);
  return to_whole(from_nested_exactly(value, where), where);
}

nb::object to_numpy(const Tensor& x) {
  return x.requires_grad() ? export_as<nb::numpy, nb::ro>(x) : export_as<nb::numpy>(x);
}

nb::object to_origin(const Tensor& x, const Origin& origin) {
  if (origin.kind == Kind::kHeed) return nb::cast(x);
  if (origin.exchange)
    return export_through(*origin.exchange, x, dlpack_type(x.dtype()), const_cast<void*>(memory_of(x)));
  switch (origin.kind) {
    case Kind::kTorch: return export_as<nb::pytorch>(x);
    case Kind::kJax: return export_as<nb::jax>(x);
    default: return to_numpy(x);
  }
}

nb::object to_capsule(const Tensor& x, const nb::kwargs& options) {
  return export_as<nb::array_api>(x).attr("__dlpack__")(**options);
}

}  // namespace heed::python
