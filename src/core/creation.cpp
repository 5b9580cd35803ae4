// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// New tensors: from literals, from memory, filled, counted.
#include "core/check.h"
#include "core/convert.h"
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "core/tensor_impl.h"

#include <cmath>
#include <cstring>

namespace heed {
namespace {

Tensor make_tensor(std::shared_ptr<detail::Storage> storage, const Shape& shape, const Strides& strides,
                   Dtype dtype) {
  auto impl = std::make_shared<detail::TensorImpl>();
  impl->storage = std::move(storage);
  impl->shape = shape;
  impl->strides = strides;
  impl->numel = shape.numel();
  impl->dtype = dtype;
  return Tensor::wrap(std::move(impl));
}

void check_sizes(const Shape& shape, std::string_view op) {
  for (std::int64_t size : shape) check(size >= 0, op, "sizes must not be negative, found {}", shape);
}

/// value(i) for each i, converted to dtype; the new tensor is contiguous.
template <class Value>
Tensor generate(const Shape& shape, Dtype dtype, const Value& value) {
  Tensor out = empty(shape, dtype);
  visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* data = out.mutable_data<T>();
    parallel_for(out.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) data[i] = convert<T>(value(i));
    });
  });
  return out;
}

Tensor borrow_memory(void* data, const Shape& shape, Dtype dtype, const BorrowOptions& options,
                     bool writable) {
  check_sizes(shape, "borrow");
  check(data != nullptr || shape.numel() == 0, "borrow", "data is null but shape is {}", shape);
  const Strides strides = options.strides.value_or(detail::contiguous_strides(shape));
  check(strides.rank() == shape.rank(), "borrow", "{} strides for shape {}", strides.rank(), shape);
  check(reinterpret_cast<std::uintptr_t>(data) % size_of(dtype) == 0, "borrow", "data is not aligned to {}",
        dtype);
  return make_tensor(std::make_shared<detail::Storage>(data, options.owner, writable), shape, strides, dtype);
}

}  // namespace

Tensor empty(const Shape& shape, Dtype dtype) {
  check_sizes(shape, "empty");
  std::int64_t bytes = 0;
  const bool overflow =
      __builtin_mul_overflow(shape.numel(), static_cast<std::int64_t>(size_of(dtype)), &bytes);
  check(!overflow, "empty", "{} {} does not fit the address space", shape, dtype);
  return make_tensor(std::make_shared<detail::Storage>(static_cast<std::size_t>(bytes)), shape,
                     detail::contiguous_strides(shape), dtype);
}

Tensor zeros(const Shape& shape, Dtype dtype) {
  Tensor out = empty(shape, dtype);
  std::memset(detail::raw_mutable(out), 0, static_cast<std::size_t>(out.numel()) * size_of(dtype));
  return out;
}

Tensor full(const Shape& shape, Scalar value, Dtype dtype) {
  return value.is_floating() ? generate(shape, dtype, [&](std::int64_t) { return value.real(); })
                             : generate(shape, dtype, [&](std::int64_t) { return value.integer(); });
}

Tensor ones(const Shape& shape, Dtype dtype) { return full(shape, 1, dtype); }
Tensor zeros_like(const Tensor& x) { return zeros(x.shape(), x.dtype()); }
Tensor ones_like(const Tensor& x) { return ones(x.shape(), x.dtype()); }

Tensor eye(std::int64_t n, Dtype dtype) {
  return generate({n, n}, dtype, [&](std::int64_t i) { return i / n == i % n ? 1 : 0; });
}

Tensor arange(std::int64_t n, Dtype dtype) {
  return generate({n}, dtype, [](std::int64_t i) { return i; });
}

Tensor arange(const Range& range, Dtype dtype) {
  check(range.step != 0 && std::isfinite(range.step), "arange", "step must be finite and not 0, found {}",
        range.step);
  check(std::isfinite(range.start) && std::isfinite(range.stop), "arange", "start and stop must be finite");
  const double count = std::ceil((range.stop - range.start) / range.step);
  check(count < 0x1p62, "arange", "{} elements are too many", count);
  return generate({count > 0 ? static_cast<std::int64_t>(count) : 0}, dtype,
                  [&](std::int64_t i) { return range.start + static_cast<double>(i) * range.step; });
}

Tensor linspace(double start, double stop, std::int64_t count, Dtype dtype) {
  check(count >= 0, "linspace", "count must not be negative, found {}", count);
  const double last = static_cast<double>(count - 1);
  return generate({count}, dtype, [&](std::int64_t i) {
    const double t = count > 1 ? static_cast<double>(i) / last : 0.0;
    return start * (1 - t) + stop * t;  // both ends exact
  });
}

NestedNumbers::NestedNumbers(std::initializer_list<NestedNumbers> items) : items_(items) {
  Shape inner;
  if (!items_.empty()) {
    inner = items_.front().shape_;
    for (const NestedNumbers& item : items_) {
      check(item.shape_ == inner, "tensor", "nested lists are ragged: {} beside {}", inner, item.shape_);
      all_boolean_ = all_boolean_ && item.all_boolean_;
    }
  } else {
    all_boolean_ = false;
  }
  shape_ = inner;
  shape_.insert(0, static_cast<std::int64_t>(items_.size()));
}

void NestedNumbers::append_to(std::vector<double>& out) const {
  if (shape_.empty()) out.push_back(number_);
  for (const NestedNumbers& item : items_) item.append_to(out);
}

Tensor tensor(const NestedNumbers& numbers) { return tensor(numbers, numbers.all_boolean() ? boolean : f32); }

Tensor tensor(const NestedNumbers& numbers, Dtype dtype) {
  std::vector<double> values;
  numbers.append_to(values);
  return generate(numbers.shape(), dtype,
                  [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
}

template <Element T>
Tensor from_vector(const std::vector<T>& values, const Shape& shape) {
  check(shape.numel() == static_cast<std::int64_t>(values.size()), "from_vector", "{} values for shape {}",
        values.size(), shape);
  return generate(shape, kDtypeOf<T>,
                  [&](std::int64_t i) -> T { return values[static_cast<std::size_t>(i)]; });
}

template <Element T>
Tensor borrow(T* data, const Shape& shape, const BorrowOptions& options) {
  return borrow_memory(data, shape, kDtypeOf<T>, options, true);
}

template <Element T>
Tensor borrow(const T* data, const Shape& shape, const BorrowOptions& options) {
  return borrow_memory(const_cast<T*>(data), shape, kDtypeOf<T>, options, false);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define HEED_INSTANTIATE(T)                                                     \
  template HEED_API Tensor from_vector<T>(const std::vector<T>&, const Shape&); \
  template HEED_API Tensor borrow<T>(T*, const Shape&, const BorrowOptions&);   \
  template HEED_API Tensor borrow<T>(const T*, const Shape&, const BorrowOptions&);
HEED_INSTANTIATE(float)
HEED_INSTANTIATE(double)
HEED_INSTANTIATE(std::int64_t)
HEED_INSTANTIATE(bool)
#undef HEED_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace heed
