// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What a Tensor points to. Autograd hangs its own part on it without the core knowing what that is.
#pragma once

#include "core/storage.h"

#include <heed/dtype.h>
#include <heed/shape.h>
#include <heed/tensor.h>

#include <cstdint>
#include <memory>

namespace heed::detail {

/// Base of the autograd layer's part of a tensor.
struct AutogradMeta {
  virtual ~AutogradMeta() = default;
};

class TensorImpl {
 public:
  std::shared_ptr<Storage> storage;
  Shape shape;
  Strides strides;          ///< in elements
  std::int64_t offset = 0;  ///< of the first element, in elements
  std::int64_t numel = 0;
  Dtype dtype = Dtype::kF32;
  std::unique_ptr<AutogradMeta> autograd;

  std::byte* data() const noexcept {
    return storage->data() + offset * static_cast<std::int64_t>(size_of(dtype));
  }
};

/// Row-major strides without gaps.
Strides contiguous_strides(const Shape& shape);
bool is_contiguous(const Shape& shape, const Strides& strides) noexcept;

/// A view of x's memory: same storage and dtype, off the tape.
struct ViewGeometry {
  Shape shape;
  Strides strides;
  std::int64_t offset = 0;  ///< in elements, relative to x's first
};
Tensor make_view(const Tensor& x, const ViewGeometry& geometry);

/// Whether a tensor of shape `from` can be read as one of shape `to`.
bool broadcasts_to(const Shape& from, const Shape& to) noexcept;

/// Strides with which x is read as if it had `shape`: 0 where x is broadcast.
Strides broadcast_strides(const Tensor& x, const Shape& shape);

/// First element, for kernels. Writing counts as a change in place.
inline const void* raw(const Tensor& x) { return x.impl()->data(); }
void* raw_mutable(const Tensor& x);

}  // namespace heed::detail
