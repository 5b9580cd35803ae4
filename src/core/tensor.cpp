// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Geometry and element access of Tensor. Views and arithmetic live in ops/, gradients in autograd/.
#include "core/check.h"
#include "core/convert.h"
#include "core/dtype_dispatch.h"
#include "core/strided.h"
#include "core/tensor_impl.h"

#include <algorithm>
#include <limits>

namespace heed {
namespace {

const detail::TensorImpl& impl_of(const Tensor& x) {
  check(x.defined(), "tensor", "used while undefined (a default-constructed Tensor)");
  return *x.impl();
}

template <class To>
To load(const void* data, Dtype dtype, std::int64_t offset) {
  return visit_dtype(
      dtype, [&](auto zero) { return convert<To>(static_cast<const decltype(zero)*>(data)[offset]); });
}

}  // namespace

Dtype Tensor::dtype() const { return impl_of(*this).dtype; }
const Shape& Tensor::shape() const { return impl_of(*this).shape; }
const Strides& Tensor::strides() const { return impl_of(*this).strides; }
std::int64_t Tensor::numel() const { return impl_of(*this).numel; }
bool Tensor::is_contiguous() const { return detail::is_contiguous(shape(), strides()); }

std::int64_t Tensor::size(std::int64_t dim) const { return shape()[wrap_dim(dim, rank(), "size")]; }

const void* Tensor::read(Dtype expected) const {
  check_dtype(*this, expected, "data", "tensor");
  return impl_->data();
}

void* Tensor::write(Dtype expected) const {
  check_dtype(*this, expected, "mutable_data", "tensor");
  return detail::raw_mutable(*this);
}

template <Element T>
T Tensor::item() const {
  check(numel() == 1, "item", "needs exactly one element, found shape {}", shape());
  return load<T>(impl_->data(), dtype(), 0);
}

template <Element T>
T Tensor::at(std::initializer_list<std::int64_t> index) const {
  check(static_cast<std::int64_t>(index.size()) == rank(), "at", "{} indices for shape {}", index.size(),
        shape());
  std::int64_t offset = 0;
  std::int64_t dim = 0;
  for (std::int64_t i : index) {
    const std::int64_t n = shape()[dim];
    check(i >= -n && i < n, "at", "index {} is out of range for dim {} of shape {}", i, dim, shape());
    offset += (i < 0 ? i + n : i) * strides()[dim++];
  }
  return load<T>(impl_->data(), dtype(), offset);
}

template <Element T>
std::vector<T> Tensor::to_vector() const {
  std::vector<T> values(static_cast<std::size_t>(numel()));
  const void* data = impl_->data();
  std::size_t next = 0;
  for_each_offset(shape(), strides(),
                  [&](std::int64_t offset) { values[next++] = load<T>(data, dtype(), offset); });
  return values;
}

#define HEED_INSTANTIATE(T)                                                     \
  template HEED_API T Tensor::item<T>() const;                                  \
  template HEED_API T Tensor::at<T>(std::initializer_list<std::int64_t>) const; \
  template HEED_API std::vector<T> Tensor::to_vector<T>() const;
HEED_INSTANTIATE(float)
HEED_INSTANTIATE(double)
HEED_INSTANTIATE(std::int64_t)
HEED_INSTANTIATE(bool)
#undef HEED_INSTANTIATE

namespace detail {

Strides contiguous_strides(const Shape& shape) {
  Strides strides = shape;
  std::int64_t step = 1;
  for (std::int64_t i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = step;
    // Sizes beside a 0 may be any: where their product would be too large, nothing lies that far apart.
    const std::int64_t size = std::max<std::int64_t>(shape[i], 1);
    if (step <= std::numeric_limits<std::int64_t>::max() / size) step *= size;
  }
  return strides;
}

bool is_contiguous(const Shape& shape, const Strides& strides) noexcept {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  std::int64_t step = 1;
  for (std::int64_t i = shape.rank() - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

Tensor make_view(const Tensor& x, const ViewGeometry& geometry) {
  auto impl = std::make_shared<TensorImpl>();
  impl->storage = x.impl()->storage;
  impl->shape = geometry.shape;
  impl->strides = geometry.strides;
  impl->offset = x.impl()->offset + geometry.offset;
  impl->numel = geometry.shape.numel();
  impl->dtype = x.impl()->dtype;
  return Tensor::wrap(std::move(impl));
}

bool broadcasts_to(const Shape& from, const Shape& to) noexcept {
  const std::int64_t lead = to.rank() - from.rank();
  if (lead < 0) return false;
  for (std::int64_t i = 0; i < from.rank(); ++i) {
    if (from[i] != 1 && from[i] != to[lead + i]) return false;
  }
  return true;
}

Strides broadcast_strides(const Tensor& x, const Shape& shape) {
  const std::int64_t lead = shape.rank() - x.rank();
  Strides strides = Shape::filled(shape.rank(), 0);
  for (std::int64_t i = 0; i < x.rank(); ++i) {
    if (x.shape()[i] != 1 || shape[lead + i] == 1) strides[lead + i] = x.strides()[i];
  }
  return strides;
}

void* raw_mutable(const Tensor& x) {
  Storage& storage = *x.impl()->storage;
  check(storage.writable(), "write", "the tensor is over read-only memory");
  storage.bump_version();
  return x.impl()->data();
}

}  // namespace detail
}  // namespace heed
