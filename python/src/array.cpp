#include "array.h"

#include "nested.h"

#include <heed/error.h>

#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <string_view>

namespace heed::python {
namespace nb = nanobind;
namespace {

std::string text(const nb::dlpack::dtype& dtype) {
  const char* names[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const std::string name = dtype.code < 7 ? names[dtype.code] : "code " + std::to_string(dtype.code) + " of ";
  return dtype.code == 6 ? name : name + std::to_string(dtype.bits);
}

Dtype element_type(const nb::dlpack::dtype& dtype, const char* where) {
  if (dtype == nb::dtype<float>()) return f32;
  if (dtype == nb::dtype<double>()) return f64;
  if (dtype == nb::dtype<std::int64_t>()) return i64;
  if (dtype == nb::dtype<bool>()) return boolean;
  throw Error(std::string(where) + " must be float32, float64, int64 or bool, found " + text(dtype));
}

template <class T, class Array>
Tensor borrow_as(Array&& array, Access access) {
  const auto rank = static_cast<std::size_t>(array.ndim());
  const Shape shape(std::span(array.shape_ptr(), rank));
  BorrowOptions options{.strides = Strides(std::span(array.stride_ptr(), rank))};
  T* data = static_cast<T*>(const_cast<void*>(static_cast<const void*>(array.data())));
  // nanobind takes the GIL to let go of the array, and lets it be once the interpreter has ended.
  options.owner = std::make_shared<std::decay_t<Array>>(std::forward<Array>(array));
  return access == Access::kWrite ? borrow(data, shape, options)
                                  : borrow(static_cast<const T*>(data), shape, options);
}

template <class Array>
Tensor borrow_typed(Array array, const char* where, Access access) {
  if (array.device_type() != nb::device::cpu::value) {
    throw Error(std::string(where) + " must be in the memory of the CPU");
  }
  switch (element_type(array.dtype(), where)) {
    case Dtype::kF32: return borrow_as<float>(std::move(array), access);
    case Dtype::kF64: return borrow_as<double>(std::move(array), access);
    case Dtype::kI64: return borrow_as<std::int64_t>(std::move(array), access);
    case Dtype::kBool: break;
  }
  return borrow_as<bool>(std::move(array), access);
}

bool requires_torch_grad(nb::handle array) {
  return kind_of(array) == Kind::kTorch && nb::cast<bool>(array.attr("requires_grad"));
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

const void* memory(const Tensor& x) {
  switch (x.dtype()) {
    case Dtype::kF32: return x.data<float>();
    case Dtype::kF64: return x.data<double>();
    case Dtype::kI64: return x.data<std::int64_t>();
    case Dtype::kBool: break;
  }
  return x.data<bool>();
}

template <class... Options>
nb::object export_as(const Tensor& x) {
  std::size_t shape[kMaxRank];
  std::copy(x.shape().begin(), x.shape().end(), shape);
  using Array = nb::ndarray<Options...>;
  return nb::cast(Array(const_cast<void*>(memory(x)), static_cast<std::size_t>(x.rank()), shape, nb::cast(x),
                        x.strides().begin(), dlpack_type(x.dtype()), nb::device::cpu::value));
}

}  // namespace

Kind kind_of(nb::handle array) {
  if (nb::isinstance<Tensor>(array)) return Kind::kHeed;
  const nb::object module = nb::getattr(array.type(), "__module__", nb::str(""));
  const std::string_view name = nb::isinstance<nb::str>(module) ? nb::borrow<nb::str>(module).c_str() : "";
  if (name.starts_with("torch")) return Kind::kTorch;
  return name.starts_with("jax") ? Kind::kJax : Kind::kNumpy;
}

std::optional<Tensor> borrow_array(nb::handle array, const char* where, Access access) {
  if (Tensor * tensor; nb::try_cast(array, tensor, false)) return *tensor;
  if (!nb::ndarray_check(array)) return std::nullopt;
  if (access == Access::kWrite) {
    if (nb::ndarray<> writable; nb::try_cast(array, writable, false)) {
      return borrow_typed(std::move(writable), where, Access::kWrite);
    }
  }
  if (nb::ndarray<nb::ro> readable; nb::try_cast(array, readable, false)) {
    return borrow_typed(std::move(readable), where, Access::kRead);
  }
  if (requires_torch_grad(array)) {
    throw Error(std::string(where) +
                " requires a gradient of PyTorch's: call heed.torch.attend, or pass x.detach()");
  }
  throw Error(std::string(where) + " has elements or strides that neither DLPack nor a buffer can describe");
}

Tensor to_tensor(nb::handle value, const char* where, std::optional<Dtype> dtype) {
  if (std::optional<Tensor> array = borrow_array(value, where)) return dtype ? array->to(*dtype) : *array;
  return from_nested(value, where, dtype);
}

nb::object to_kind(const Tensor& x, Kind kind) {
  switch (kind) {
    case Kind::kHeed: return nb::cast(x);
    case Kind::kTorch: return export_as<nb::pytorch>(x);
    case Kind::kJax: return export_as<nb::jax>(x);
    case Kind::kNumpy: break;
  }
  return x.requires_grad() ? export_as<nb::numpy, nb::ro>(x) : export_as<nb::numpy>(x);
}

nb::object to_capsule(const Tensor& x, const nb::kwargs& options) {
  return export_as<nb::array_api>(x).attr("__dlpack__")(**options);
}

}  // namespace heed::python
