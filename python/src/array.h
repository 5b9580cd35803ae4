// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Arrays of other libraries: in by DLPack or the buffer protocol without a copy, out as what came in.
#pragma once

#include <heed/tensor.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace heed::python {

struct ExchangeTable;

/// Whose array something is, which is what the caller gets back.
enum class Kind : std::uint8_t { kHeed, kNumpy, kTorch, kJax };

struct Origin {
  Kind kind = Kind::kHeed;
  const ExchangeTable* exchange = nullptr;  ///< the fast way back, if there is one
};

Origin origin_of(nanobind::handle array);

enum class Access : std::uint8_t {
  kRead,
  kWrite,
  kConvert,   ///< as kRead; integers of other widths become i64, in a copy
  kOperator,  ///< as kRead, for an operator of PyTorch's, which minds its gradients
};

/// Which elements are expected. It decides what an Error says of others; heed's own may come in any case.
enum class Elements : std::uint8_t { kAny, kFloating };

/// The memory of `array`, which lives as long as the tensor does; a heed.Tensor is itself. Nothing if it is no array. An
/// Error that begins with `where` if heed has no such element type, or the memory is not the CPU's. What lies at an odd
/// address is copied, and cannot be written to.
std::optional<Tensor> borrow_array(nanobind::handle array, const char* where, Access access = Access::kRead,
                                   Elements elements = Elements::kAny);

/// An array as borrow_array takes it to convert.
std::optional<Tensor> array_tensor(nanobind::handle value, const char* where,
                                   Elements elements = Elements::kAny);

/// The same, and lists or numbers as new tensors; a TypeError if it is none of these.
Tensor to_tensor(nanobind::handle value, const char* where, std::optional<Dtype> dtype = std::nullopt);

/// As to_tensor, for what is computed with: integers become f32.
Tensor to_real(nanobind::handle value, const char* where);

/// The same where nothing may be rounded: what is no array becomes f64, integers too.
Tensor to_exact(nanobind::handle value, const char* where);

/// As to_tensor, for lengths: i64, from whole numbers of any type. The Error names the first entry that is none.
Tensor to_whole(nanobind::handle value, const char* where);
Tensor to_whole(const Tensor& x, const char* where);

/// x's first element.
const void* memory_of(const Tensor& x);

/// x's memory as an array of the same library.
nanobind::object to_origin(const Tensor& x, const Origin& origin);
nanobind::object to_numpy(const Tensor& x);

/// x's memory as a DLPack capsule; options are those of __dlpack__.
nanobind::object to_capsule(const Tensor& x, const nanobind::kwargs& options);

}  // namespace heed::python
