// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"

namespace heed {
namespace {

/// `wanted` with its -1 replaced by what is left of `found`'s elements.
Shape inferred(const Shape& wanted, const Tensor& x) {
  Shape shape = wanted;
  std::int64_t open = -1;
  std::int64_t known = 1;
  for (std::int64_t i = 0; i < shape.rank(); ++i) {
    check(shape[i] >= -1, "reshape", "sizes must not be negative (but for one -1), found {}", wanted);
    if (shape[i] == -1) {
      check(open < 0, "reshape", "only one size may be -1, found {}", wanted);
      open = i;
    } else {
      const bool overflow = __builtin_mul_overflow(known, shape[i], &known);
      check(!overflow, "reshape", "{} of shape {} has more than 2^63 elements", wanted, x.shape());
    }
  }
  if (open >= 0) {
    check(known != 0, "reshape", "-1 in {} could be anything, as the other sizes multiply to 0", wanted);
    check(x.numel() % known == 0, "reshape", "the {} elements of {} do not divide into {}", x.numel(),
          x.shape(), wanted);
    shape[open] = x.numel() / known;
  }
  check(shape.numel() == x.numel(), "reshape", "{} has {} elements, {} has {}", x.shape(), x.numel(), wanted,
        shape.numel());
  return shape;
}

/// Strides under which x's memory reads as `shape`, or nothing if only a copy can.
/// Runs of x's dims that are contiguous among themselves are cut up into the new dims, innermost first.
std::optional<Strides> view_strides(const Tensor& x, const Shape& shape) {
  if (x.numel() == 0) return detail::contiguous_strides(shape);
  Strides result = shape;
  std::int64_t dim = x.rank() - 1;
  std::int64_t run_stride = 1;
  std::int64_t run_left = 1;  // elements of the current run not yet covered by new dims
  for (std::int64_t i = shape.rank() - 1; i >= 0; --i) {
    if (run_left == 1) {
      while (dim >= 0 && x.shape()[dim] == 1) --dim;
      if (dim >= 0) {
        run_stride = x.strides()[dim];
        run_left = x.shape()[dim--];
        while (dim >= 0 && (x.shape()[dim] == 1 || x.strides()[dim] == run_stride * run_left)) {
          run_left *= x.shape()[dim--];
        }
      }
    }
    result[i] = run_stride;
    if (shape[i] == 1) continue;
    if (run_left % shape[i] != 0) return std::nullopt;
    run_left /= shape[i];
    run_stride *= shape[i];
  }
  return result;
}

}  // namespace

Tensor Tensor::reshape(const Shape& wanted) const {
  check_defined(*this, "reshape", "tensor");
  if (wanted == shape()) return *this;
  const Shape target = inferred(wanted, *this);
  const std::optional<Strides> view = view_strides(*this, target);
  if (!view) return contiguous().reshape(target);
  const Tensor y = detail::make_view(*this, {target, *view, 0});
  if (!needs_grad(*this)) return y;
  return record("reshape", y, {*this},
                [original = shape()](const Tensor& grad) { return grad.reshape(original); });
}

}  // namespace heed
