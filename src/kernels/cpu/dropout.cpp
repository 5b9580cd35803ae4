// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "core/philox.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <cmath>

namespace heed::kernels::cpu {
namespace {

/// Words below this are dropped: u = (word >> 8) / 2^24 >= p, asked of the integers.
std::uint32_t dropped_below(double p) { return static_cast<std::uint32_t>(std::ceil(p * 0x1p24)); }

template <class T>
void drop(const DropoutParams& p) {
  const T* in = static_cast<const T*>(p.in);
  T* out = static_cast<T*>(p.out);
  const std::uint32_t limit = dropped_below(p.p);
  const T scale = static_cast<T>(p.p < 1 ? 1 / (1 - p.p) : 0);
  const std::int64_t blocks = (p.count + 3) / 4;
  parallel_for(blocks, 1 << 11, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      const PhiloxBlock words = philox_stream(p.seed, p.first + static_cast<std::uint64_t>(block));
      const std::int64_t last = std::min(p.count, block * 4 + 4);
      for (std::int64_t i = block * 4; i < last; ++i) {
        const std::uint32_t word = words[static_cast<std::size_t>(i - block * 4)];
        out[i] = word >> 8 >= limit ? in[i] * scale : T{0};  // a choice, not a product: inf may be dropped
      }
    }
  });
}

}  // namespace

void dropout(const DropoutParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) { drop<decltype(zero)>(p); });
}

}  // namespace heed::kernels::cpu
