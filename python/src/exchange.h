// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// DLPack without Python calls: the table of C functions that array types carry since DLPack 1.3. It takes a PyTorch tensor
// in and out in a tenth of a microsecond; Tensor.__dlpack__ takes five.
#pragma once

#include <heed/tensor.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

namespace heed::python {

struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};

/// DLManagedTensorVersioned.
struct ManagedArray {
  DLPackVersion version;
  void* context;
  void (*deleter)(ManagedArray*);
  std::uint64_t flags;
  nanobind::dlpack::dltensor array;
};

/// DLPackExchangeAPI, as far as it is used here.
struct ExchangeTable {
  DLPackVersion version;
  const ExchangeTable* previous;
  void* allocate;
  int (*from_object)(void* object, ManagedArray** out);
  int (*to_object)(ManagedArray* array, void** object);
};

/// The table of a type, or null if it has none of a version known here.
const ExchangeTable* exchange_table(nanobind::handle type);

/// Takes what from_object gave, and lets go of it in the end.
class ManagedOwner {
 public:
  explicit ManagedOwner(ManagedArray* managed) noexcept : managed_(managed) {}
  ManagedOwner(ManagedOwner&& other) noexcept : managed_(std::exchange(other.managed_, nullptr)) {}
  ~ManagedOwner();
  ManagedOwner& operator=(ManagedOwner&&) = delete;

 private:
  ManagedArray* managed_;
};

/// x's memory as an object of the library whose table this is.
nanobind::object export_through(const ExchangeTable& table, const Tensor& x, nanobind::dlpack::dtype dtype,
                                void* data);

}  // namespace heed::python
