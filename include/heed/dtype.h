// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Element types. Floating types carry gradients; i64 holds indices and lengths; boolean holds masks.
#pragma once

#include <heed/export.h>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace heed {

enum class Dtype : std::uint8_t { kF32, kF64, kI64, kBool };

inline constexpr Dtype f32 = Dtype::kF32;
inline constexpr Dtype f64 = Dtype::kF64;
inline constexpr Dtype i64 = Dtype::kI64;
inline constexpr Dtype boolean = Dtype::kBool;

HEED_API const char* name(Dtype dtype) noexcept;
HEED_API std::size_t size_of(Dtype dtype) noexcept;
HEED_API bool is_floating(Dtype dtype) noexcept;

/// The type of `a op b`: boolean < i64 < f32 < f64.
HEED_API Dtype promote(Dtype a, Dtype b) noexcept;

template <class T>
concept Element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int64_t> ||
    std::same_as<T, bool>;

template <Element T>
inline constexpr Dtype kDtypeOf = std::same_as<T, float>          ? Dtype::kF32
                                  : std::same_as<T, double>       ? Dtype::kF64
                                  : std::same_as<T, std::int64_t> ? Dtype::kI64
                                                                  : Dtype::kBool;

}  // namespace heed
