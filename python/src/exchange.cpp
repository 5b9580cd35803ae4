// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "exchange.h"

#include <algorithm>
#include <memory>

namespace heed::python {
namespace nb = nanobind;
namespace {

constexpr std::uint32_t kMajor = 1, kMinor = 0;

/// What an exported array points to.
struct Exported {
  ManagedArray managed;
  Tensor tensor;
  Shape shape;
  Strides strides;
};

}  // namespace

const ExchangeTable* exchange_table(nb::handle type) {
  const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  if (!PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api")) return nullptr;
  auto* table = static_cast<const ExchangeTable*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  while (table && table->version.major != kMajor) table = table->previous;
  return table;
}

ManagedOwner::~ManagedOwner() {
  if (managed_ && managed_->deleter) managed_->deleter(managed_);
}

nb::object export_through(const ExchangeTable& table, const Tensor& x, nb::dlpack::dtype dtype, void* data) {
  auto exported = std::make_unique<Exported>(Exported{{}, x, x.shape(), x.strides()});
  exported->managed = {.version = {kMajor, kMinor},
                       .context = exported.get(),
                       .deleter = [](ManagedArray* m) { delete static_cast<Exported*>(m->context); },
                       .flags = 0,
                       .array = {}};
  nb::dlpack::dltensor& array = exported->managed.array;
  array.data = data;
  array.device = {nb::device::cpu::value, 0};
  array.ndim = static_cast<std::int32_t>(x.rank());
  array.dtype = dtype;
  array.shape = const_cast<std::int64_t*>(exported->shape.data());
  array.strides = const_cast<std::int64_t*>(exported->strides.data());
  void* object = nullptr;
  // Takes the array over, whether it succeeds or not.
  if (table.to_object(&exported.release()->managed, &object) != 0) throw nb::python_error();
  return nb::steal(static_cast<PyObject*>(object));
}

}  // namespace heed::python
