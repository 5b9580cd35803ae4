// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// rand and normal: element i comes from block i/4 (f32) or i/2 (f64) of the generator's stream.
#include "core/check.h"
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "core/philox.h"
#include "core/tensor_impl.h"

#include <cmath>
#include <numbers>

namespace heed {
namespace {

template <class T>
inline constexpr int kPerBlock = sizeof(T) == 4 ? 4 : 2;

template <class T>
std::array<T, kPerBlock<T>> uniforms(const PhiloxBlock& bits) noexcept {
  if constexpr (sizeof(T) == 4) {
    return {uniform_f32(bits[0]), uniform_f32(bits[1]), uniform_f32(bits[2]), uniform_f32(bits[3])};
  } else {
    return {uniform_f64(bits[0], bits[1]), uniform_f64(bits[2], bits[3])};
  }
}

/// Box and Muller: two normals from two uniforms. 1 - u lies in (0, 1], so the logarithm is finite.
template <class T>
std::array<T, kPerBlock<T>> normals(const PhiloxBlock& bits) noexcept {
  std::array<T, kPerBlock<T>> values = uniforms<T>(bits);
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const T radius = std::sqrt(T{-2} * std::log(T{1} - values[i]));
    const T angle = T{2} * std::numbers::pi_v<T> * values[i + 1];
    values[i] = radius * std::cos(angle);
    values[i + 1] = radius * std::sin(angle);
  }
  return values;
}

template <class T, class FromBlock>
void fill_from_stream(T* out, std::int64_t count, Generator& generator, const FromBlock& from_block) {
  constexpr std::int64_t kWidth = kPerBlock<T>;
  const std::int64_t blocks = (count + kWidth - 1) / kWidth;
  const std::uint64_t first = generator.advance(static_cast<std::uint64_t>(blocks));
  constexpr std::int64_t kGrain = 1 << 12;
  with_checkpoint([&](Checkpoint& checkpoint) {
    parallel_for(blocks, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t block = begin; block < end; ++block) {
        if ((block - begin) % kGrain == 0 && !checkpoint.pass(begin)) return;
        const auto values =
            from_block(philox_stream(generator.seed(), first + static_cast<std::uint64_t>(block)));
        const std::int64_t here = std::min(kWidth, count - block * kWidth);
        for (std::int64_t i = 0; i < here; ++i) out[block * kWidth + i] = values[static_cast<std::size_t>(i)];
      }
    });
  });
}

}  // namespace

Tensor rand(const Shape& shape, Dtype dtype, Generator& generator) {
  check(is_floating(dtype), "rand", "dtype must be f32 or f64, found {}", dtype);
  Tensor out = empty(shape, dtype);
  visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    fill_from_stream(out.mutable_data<T>(), out.numel(), generator, uniforms<T>);
  });
  return out;
}

Tensor normal(const Shape& shape, const Normal& distribution, Dtype dtype, Generator& generator) {
  check(is_floating(dtype), "normal", "dtype must be f32 or f64, found {}", dtype);
  check(distribution.stddev >= 0, "normal", "stddev must not be negative, found {}", distribution.stddev);
  Tensor out = empty(shape, dtype);
  visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T mean = static_cast<T>(distribution.mean);
    const T stddev = static_cast<T>(distribution.stddev);
    fill_from_stream(out.mutable_data<T>(), out.numel(), generator, [&](const PhiloxBlock& bits) {
      auto values = normals<T>(bits);
      for (T& value : values) value = mean + stddev * value;
      return values;
    });
  });
  return out;
}

}  // namespace heed
