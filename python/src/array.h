// Arrays of other libraries: in by DLPack or the buffer protocol without a copy, out as what came in.
#pragma once

#include <heed/tensor.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace heed::python {

/// Whose array something is, which is what the caller gets back.
enum class Kind : std::uint8_t { kHeed, kNumpy, kTorch, kJax };

Kind kind_of(nanobind::handle array);

enum class Access : std::uint8_t { kRead, kWrite };

/// The memory of `array`, which lives as long as the tensor does; a heed.Tensor is itself. Nothing if it is no array. An
/// Error that begins with `where` if heed has no such element type, or the memory is not the CPU's.
std::optional<Tensor> borrow_array(nanobind::handle array, const char* where, Access access = Access::kRead);

/// As borrow_array, and lists or numbers become new tensors; a TypeError if it is none of these.
Tensor to_tensor(nanobind::handle value, const char* where, std::optional<Dtype> dtype = std::nullopt);

/// x's memory as an array of that kind.
nanobind::object to_kind(const Tensor& x, Kind kind);

/// x's memory as a DLPack capsule; options are those of __dlpack__.
nanobind::object to_capsule(const Tensor& x, const nanobind::kwargs& options);

}  // namespace heed::python
