// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tensor: the one value type of the library. A handle to strided memory, with an optional place on the
// autograd tape. Copies share memory; clone() does not. Views (transpose, slice, ...) are free.
#pragma once

#include <heed/dtype.h>
#include <heed/export.h>
#include <heed/random.h>
#include <heed/scalar.h>
#include <heed/shape.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed {

namespace detail {
class TensorImpl;
}

/// Part of one dimension, as Python's start:stop:step. Negative numbers count from the end; step may be negative.
struct Slice {
  std::optional<std::int64_t> start = std::nullopt;
  std::optional<std::int64_t> stop = std::nullopt;
  std::int64_t step = 1;
};

struct DiagonalOptions {
  std::int64_t offset = 0;
  std::int64_t dim1 = 0;
  std::int64_t dim2 = 1;
};

class HEED_API Tensor {
 public:
  /// No tensor at all: defined() is false and everything else is an Error. Optional arguments use it.
  Tensor() = default;
  /// A function, not a constructor: a shared_ptr would compete for braces, as in valid_lens({{0, 2}}).
  static Tensor wrap(std::shared_ptr<detail::TensorImpl> impl) noexcept {
    Tensor x;
    x.impl_ = std::move(impl);
    return x;
  }

  bool defined() const noexcept { return impl_ != nullptr; }
  Dtype dtype() const;
  const Shape& shape() const;
  const Strides& strides() const;
  std::int64_t rank() const { return shape().rank(); }
  std::int64_t numel() const;
  /// Size of one dimension; negative counts from the end.
  std::int64_t size(std::int64_t dim) const;
  bool is_contiguous() const;

  // --- reading and writing elements ---

  /// The first element; the others lie strides() apart. T must be the dtype.
  template <Element T>
  const T* data() const {
    return static_cast<const T*>(read(kDtypeOf<T>));
  }
  /// As data(), for writing. Counts as a change in place for graphs that have recorded this tensor.
  template <Element T>
  T* mutable_data() const {
    return static_cast<T*>(write(kDtypeOf<T>));
  }
  /// The value of a tensor of one element, converted to T.
  template <Element T = double>
  T item() const;
  /// The element at `index`, converted to T.
  template <Element T = double>
  T at(std::initializer_list<std::int64_t> index) const;
  /// All elements in row-major order, converted to T.
  template <Element T = double>
  std::vector<T> to_vector() const;

  // --- views: share memory, carry gradients ---

  Tensor transpose(std::int64_t dim1, std::int64_t dim2) const;
  Tensor permute(const Dims& dims) const;
  /// One size may be -1: what is left. A view where strides allow, else a copy.
  Tensor reshape(const Shape& shape) const;
  Tensor slice(std::int64_t dim, const Slice& part) const;
  /// One position of one dimension, which disappears. `x[i]` is `x.select(0, i)`.
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  /// Without dimensions given: drops all dimensions of size 1.
  Tensor squeeze(const Dims& dims = {}) const;
  Tensor unsqueeze(std::int64_t dim) const;
  /// Repeats dimensions of size 1 (and new leading ones) without copying; -1 keeps a size.
  Tensor expand(const Shape& shape) const;
  Tensor diagonal(const DiagonalOptions& options = {}) const;

  // --- copies and conversions ---

  Tensor contiguous() const;
  Tensor clone() const;
  /// Floating to i64 saturates and takes NaN to 0; boolean is x != 0. The dtype it has gives the same tensor.
  Tensor to(Dtype dtype) const;

  // --- changes in place: an Error while the tape records this tensor (use no_grad) ---

  const Tensor& fill_(Scalar value) const;
  const Tensor& copy_(const Tensor& source) const;
  /// this += alpha * other
  const Tensor& add_(const Tensor& other, double alpha = 1.0) const;

  // --- autograd ---

  bool requires_grad() const noexcept;
  /// For leaves only: asks for (or gives up) a gradient. Returns the same tensor.
  const Tensor& requires_grad_(bool wanted = true) const;
  bool is_leaf() const noexcept;
  /// The gradient accumulated by backward(); undefined before the first.
  Tensor grad() const;
  /// Replaces the gradient; an undefined tensor clears it.
  void set_grad(const Tensor& grad) const;
  /// Same memory, off the tape.
  Tensor detach() const;
  /// d this / d leaves, added to each leaf's grad(). Without a seed the tensor must have one element.
  /// The graph is freed unless retain_graph.
  void backward(const Tensor& seed = {}) const;
  void backward_retaining_graph(const Tensor& seed = {}) const;

  const std::shared_ptr<detail::TensorImpl>& impl() const noexcept { return impl_; }

 private:
  const void* read(Dtype expected) const;
  void* write(Dtype expected) const;

  std::shared_ptr<detail::TensorImpl> impl_;
};

/// Numbers in braces, nested to any depth: {{1, 2}, {3, 4}}.
class HEED_API NestedNumbers {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> NestedNumbers(
      T value)  // NOLINT(google-explicit-constructor): literals convert
      : number_(static_cast<double>(value)), all_boolean_(std::is_same_v<T, bool>) {}
  NestedNumbers(std::initializer_list<NestedNumbers> items);

  const Shape& shape() const noexcept { return shape_; }
  bool all_boolean() const noexcept { return all_boolean_; }
  void append_to(std::vector<double>& out) const;

 private:
  double number_ = 0;
  bool all_boolean_ = true;
  Shape shape_;
  std::vector<NestedNumbers> items_;
};

// --- creation ---

/// tensor({{1, 2}, {3, 4}}) is f32 of shape (2, 2); tensor({true, false}) is boolean; tensor(3) is a scalar.
HEED_API Tensor tensor(const NestedNumbers& numbers);
HEED_API Tensor tensor(const NestedNumbers& numbers, Dtype dtype);

HEED_API Tensor zeros(const Shape& shape, Dtype dtype = f32);
HEED_API Tensor ones(const Shape& shape, Dtype dtype = f32);
HEED_API Tensor full(const Shape& shape, Scalar value, Dtype dtype = f32);
HEED_API Tensor zeros_like(const Tensor& x);
HEED_API Tensor ones_like(const Tensor& x);
/// Uninitialised memory.
HEED_API Tensor empty(const Shape& shape, Dtype dtype = f32);
HEED_API Tensor eye(std::int64_t n, Dtype dtype = f32);
/// 0, 1, ... n-1
HEED_API Tensor arange(std::int64_t n, Dtype dtype = f32);
struct Range {
  double start = 0;
  double stop = 0;
  double step = 1;
};
/// start, start + step, ... up to but without stop.
HEED_API Tensor arange(const Range& range, Dtype dtype = f32);
/// `count` points from start to stop, both included.
HEED_API Tensor linspace(double start, double stop, std::int64_t count, Dtype dtype = f32);

/// Uniform on [0, 1).
HEED_API Tensor rand(const Shape& shape, Dtype dtype = f32, Generator& generator = default_generator());
struct Normal {
  double mean = 0;
  double stddev = 1;
};
HEED_API Tensor normal(const Shape& shape, const Normal& distribution = {}, Dtype dtype = f32,
                       Generator& generator = default_generator());

/// A copy of `values` in `shape`.
template <Element T>
Tensor from_vector(const std::vector<T>& values, const Shape& shape);

struct BorrowOptions {
  /// In elements; row-major without gaps if not given. May be zero or negative.
  std::optional<Strides> strides = std::nullopt;
  /// Kept alive as long as any tensor uses the memory; without one the caller keeps it alive.
  std::shared_ptr<void> owner = nullptr;
};
/// A tensor over memory from outside, nothing copied. Writing through a tensor over const memory is an Error.
template <Element T>
Tensor borrow(T* data, const Shape& shape, const BorrowOptions& options = {});
template <Element T>
Tensor borrow(const T* data, const Shape& shape, const BorrowOptions& options = {});

// --- printing ---

/// As PyTorch prints: aligned, 4 decimals, long edges elided.
HEED_API std::string to_string(const Tensor& x);
HEED_API std::ostream& operator<<(std::ostream& out, const Tensor& x);

}  // namespace heed
