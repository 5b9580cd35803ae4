// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Picking rows or elements by index, and adding them back.
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>

namespace heed::kernels::cpu {
namespace {

constexpr std::int64_t kWork = 1 << 14;  // elements worth a thread

std::int64_t grain_for(std::int64_t elements_each) {
  return std::max<std::int64_t>(1, kWork / std::max<std::int64_t>(1, elements_each));
}

}  // namespace

void gather_rows(const RowsParams& p) noexcept {
  visit_dtype(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* table = static_cast<const T*>(p.in);
    T* out = static_cast<T*>(p.out);
    parallel_for(p.count, grain_for(p.row), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        std::copy_n(table + p.index[i] * p.row, p.row, out + i * p.row);
    });
  });
}

void scatter_add_rows(const RowsParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* in = static_cast<const T*>(p.in);
    T* table = static_cast<T*>(p.out);
    // Threads share out the columns: an index may come twice, and its sum keeps the order of i.
    parallel_for(p.row, std::max<std::int64_t>(16, grain_for(p.count)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = 0; i < p.count; ++i) {
                     const T* from = in + i * p.row;
                     T* to = table + p.index[i] * p.row;
                     for (std::int64_t j = begin; j < end; ++j) to[j] += from[j];
                   }
                 });
  });
}

void gather(const GatherParams& p) noexcept {
  visit_dtype(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* in = static_cast<const T*>(p.in);
    T* out = static_cast<T*>(p.out);
    parallel_for(p.outer * p.count, grain_for(p.inner), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t* index = p.index + row * p.inner;
        const T* from = in + row / p.count * p.n * p.inner;
        T* to = out + row * p.inner;
        for (std::int64_t i = 0; i < p.inner; ++i) to[i] = from[index[i] * p.inner + i];
      }
    });
  });
}

void scatter_add(const GatherParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* in = static_cast<const T*>(p.in);
    T* out = static_cast<T*>(p.out);
    // Only within one outer slice can two elements meet.
    parallel_for(p.outer, grain_for(p.count * p.inner), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin * p.count; row < end * p.count; ++row) {
        const std::int64_t* index = p.index + row * p.inner;
        const T* from = in + row * p.inner;
        T* to = out + row / p.count * p.n * p.inner;
        for (std::int64_t i = 0; i < p.inner; ++i) to[index[i] * p.inner + i] += from[i];
      }
    });
  });
}

}  // namespace heed::kernels::cpu
