// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The few vector operations the engine is written in, for the instruction set this file is compiled for. xsimd gives
// the vectors; intrinsics stand only where it has no word for the instruction.
//
// No function from outside a tier's namespace may be left as a symbol of its object, the standard library's included: the linker
// keeps one copy for the whole program, and could keep the one made for an instruction set that this CPU has not. std::min,
// std::fill_n and the like are inlined always; tests/repo/check_tiers looks.
#pragma once

#include <xsimd/xsimd.hpp>

#include <cstdint>
#include <limits>

// Loops over registers must unroll completely, or the registers become memory.
#if defined(__clang__)
#define HEED_UNROLL _Pragma("clang loop unroll(full)")
#define HEED_UNROLL_2 _Pragma("clang loop unroll_count(2)")
#else
#define HEED_UNROLL _Pragma("GCC unroll 32")
#define HEED_UNROLL_2 _Pragma("GCC unroll 2")
#endif
#define HEED_INLINE inline __attribute__((always_inline))
#define HEED_INLINE_LAMBDA __attribute__((always_inline))

namespace heed::kernels::cpu::HEED_TIER {

#if defined(__AVX512F__) && defined(__AVX512DQ__)
using Arch = xsimd::avx512bw;
inline constexpr int kRegisters = 32;
#elif defined(__AVX2__) && defined(__FMA__)
using Arch = xsimd::fma3<xsimd::avx2>;
inline constexpr int kRegisters = 16;
#elif defined(__x86_64__)
using Arch = xsimd::sse2;
inline constexpr int kRegisters = 16;
#else
using Arch = xsimd::default_arch;
inline constexpr int kRegisters = 32;
#endif

template <class T>
using Vec = xsimd::batch<T, Arch>;
template <class T>
using Mask = xsimd::batch_bool<T, Arch>;
template <class T>
inline constexpr int kLanes = static_cast<int>(Vec<T>::size);

template <class T>
inline constexpr T kMinusInf = -std::numeric_limits<T>::infinity();

template <class T>
HEED_INLINE Vec<T> load(const T* p) {
  return Vec<T>::load_unaligned(p);
}
template <class T>
HEED_INLINE void store(T* p, Vec<T> x) {
  x.store_unaligned(p);
}
template <class T>
HEED_INLINE Vec<T> set(T x) {
  return Vec<T>(x);
}
/// 0, 1, 2 ...
template <class T>
HEED_INLINE Vec<T> lane_numbers() {
  constexpr T kNumbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  static_assert(kLanes<T> <= 16);
  return load(kNumbers);
}
/// Bit n says whether row[n] is not 0, 64 of them. Other libraries' true may be any byte but 0.
inline std::uint64_t bits_of(const unsigned char* row) {
#if defined(__AVX512BW__)
  const __m512i bytes = _mm512_loadu_si512(row);
  return _mm512_test_epi8_mask(bytes, bytes);
#elif defined(__AVX2__)
  std::uint64_t bits = 0;
  for (int n = 0; n < 64; n += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + n));
    const __m256i zero = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
    bits |= std::uint64_t{~static_cast<std::uint32_t>(_mm256_movemask_epi8(zero))} << n;
  }
  return bits;
#else
  std::uint64_t bits = 0;
  for (int n = 0; n < 64; ++n) bits |= std::uint64_t{row[n] != 0} << n;
  return bits;
#endif
}
/// Lane n where bit n is set.
template <class T>
HEED_INLINE Mask<T> lanes_where(std::uint64_t bits) {
#if defined(__AVX512F__)
  return Mask<T>(static_cast<typename Mask<T>::register_type>(bits));
#else
  alignas(64) T lanes[kLanes<T>];
  for (int n = 0; n < kLanes<T>; ++n) lanes[n] = static_cast<T>(bits >> n & 1);
  return load(lanes) == set(T{1});
#endif
}
/// a b + c, rounded once where the instruction set has it. Not xsimd's: for AVX-512 that is two instructions.
template <class T>
HEED_INLINE Vec<T> fma(Vec<T> a, Vec<T> b, Vec<T> c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    return _mm512_fmadd_ps(a, b, c);
  } else {
    return _mm512_fmadd_pd(a, b, c);
  }
#else
  return xsimd::fma(a, b, c);
#endif
}
/// c - a b, likewise.
template <class T>
HEED_INLINE Vec<T> fnma(Vec<T> a, Vec<T> b, Vec<T> c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    return _mm512_fnmadd_ps(a, b, c);
  } else {
    return _mm512_fnmadd_pd(a, b, c);
  }
#else
  return xsimd::fnma(a, b, c);
#endif
}

/// A load the compiler may not turn into a register kept alive over the tile: accumulators start from memory.
template <class T>
HEED_INLINE Vec<T> reload(const T* p) {
  Vec<T> x = load(p);
#if defined(__AVX512F__)
  asm volatile("" : "+v"(x.data));
#elif defined(__x86_64__)
  asm volatile("" : "+x"(x.data));
#endif
  return x;
}

/// The first n lanes from memory, the others 0; n in 0..lanes. Nothing beyond p[n-1] is touched.
template <class T>
HEED_INLINE Vec<T> load_first(const T* p, int n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p);
  } else {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p);
  }
#else
  alignas(64) T buffer[kLanes<T>] = {};
  for (int i = 0; i < n; ++i) buffer[i] = p[i];
  return load(buffer);
#endif
}
template <class T>
HEED_INLINE void store_first(T* p, Vec<T> x, int n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), x);
  } else {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1), x);
  }
#else
  alignas(64) T buffer[kLanes<T>];
  store(buffer, x);
  for (int i = 0; i < n; ++i) p[i] = buffer[i];
#endif
}

template <class T>
HEED_INLINE T largest_lane(Vec<T> x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    return _mm512_reduce_max_ps(x);
  } else {
    return _mm512_reduce_max_pd(x);
  }
#endif
  T lanes[kLanes<T>];
  store(lanes, x);
  T most = lanes[0];
  for (T lane : lanes) most = lane > most ? lane : most;
  return most;
}

/// 1 / x to the last bit or two; x normal and so small that 1 / x is.
template <class T>
HEED_INLINE Vec<T> reciprocal(Vec<T> x) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    const Vec<T> r = _mm512_rcp14_ps(x);
    return r * fnma(x, r, set(T{2}));
  }
#endif
  return set(T{1}) / x;
}

/// sum + above / below, for `below` as above.
template <class T>
HEED_INLINE Vec<T> add_quotient(Vec<T> above, Vec<T> below, Vec<T> sum) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    const Vec<T> r = _mm512_rcp14_ps(below);
    return fma(above * r, fnma(below, r, set(T{2})), sum);
  }
#endif
  return sum + above / below;
}

}  // namespace heed::kernels::cpu::HEED_TIER
