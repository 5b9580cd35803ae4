// The few vector operations the engine is written in, for the instruction set this file is compiled for. xsimd gives
// the vectors; intrinsics stand only where it has no word for the instruction.
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

/// While it lives, results below the normal range are 0: denormal numbers would slow down everything that meets them, and
/// looking for them takes time too.
class NoDenormals {
 public:
#if defined(__x86_64__)
  static constexpr bool kExist = true;
  NoDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | _MM_FLUSH_ZERO_ON); }
  ~NoDenormals() { _mm_setcsr(before_); }
#else
  static constexpr bool kExist = false;
  NoDenormals() = default;
#endif
  NoDenormals(const NoDenormals&) = delete;
  NoDenormals& operator=(const NoDenormals&) = delete;

 private:
  [[maybe_unused]] unsigned before_ = 0;
};

/// Who sees to it that a result below the normal range is 0.
enum class Denormals { kLookedFor, kFlushed };

/// 2^x: 1 ulp-class for x in the exponent range; 0 below it, -inf included, inf above; NaN stays NaN.
template <Denormals kDenormals = Denormals::kLookedFor>
HEED_INLINE Vec<float> exp2(Vec<float> x) {
  constexpr bool kLook = kDenormals == Denormals::kLookedFor || !NoDenormals::kExist;
  const auto polynomial = [](Vec<float> f, const float(&c)[6]) HEED_INLINE_LAMBDA {
    Vec<float> p = set(c[0]);
    HEED_UNROLL
    for (int i = 1; i < 6; ++i) p = fma(p, f, set(c[i]));
    return p;
  };
#if defined(__AVX512DQ__)
  // Minimax on [0, 1).
  constexpr float kC[6] = {1.8775767e-3F, 8.9893397e-3F, 5.5826318e-2F,
                           2.4015361e-1F, 6.9315308e-1F, 9.9999994e-1F};
  const Vec<float> p = polynomial(_mm512_reduce_ps(x, 0x09), kC);  // of x - floor(x); 0 for infinities
  if constexpr (!kLook) return _mm512_scalef_ps(p, x);
  return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x, set(-126.0F), _CMP_NLT_UQ), p, x);
#else
  // Minimax on [-1/2, 1/2] with 2^0 = 1.
  constexpr float kC[6] = {1.32647145e-3F, 9.67151299e-3F, 5.55073395e-2F,
                           2.40222424e-1F, 6.93147004e-1F, 1.0F};
  const Vec<float> clamped = xsimd::min(set(128.0F), xsimd::max(set(-127.0F), x));  // in this order NaN stays
  // Adding 1.5 * 2^23 leaves the nearest whole number in the low bits, where a shift makes it an exponent.
  const Vec<float> magic = set(12582912.0F + 127.0F), shifted = clamped + magic;
  const Vec<float> p = polynomial(clamped - (shifted - magic), kC);
  const auto exponent = xsimd::bitwise_cast<xsimd::batch<std::int32_t, Arch>>(shifted) << 23;
  const Vec<float> result = p * xsimd::bitwise_cast<Vec<float>>(exponent);
  if constexpr (!kLook) return result;
  return xsimd::select(clamped < set(-126.0F), set(0.0F), result);
#endif
}

template <Denormals kDenormals = Denormals::kLookedFor>
HEED_INLINE Vec<double> exp2(Vec<double> x) {
  constexpr bool kLook = kDenormals == Denormals::kLookedFor || !NoDenormals::kExist;
  // Taylor of 2^f on [-1/2, 1/2], ln2^n / n!, degree 13.
  constexpr double kC[] = {1.3691488853904128e-12, 2.5678435993488202e-11,
                           4.4455382718708116e-10, 7.0549116208011233e-9,
                           1.0178086009239699e-7,  1.3215486790144309e-6,
                           1.5252733804059841e-5,  1.5403530393381608e-4,
                           1.3333558146428443e-3,  9.6181291076284772e-3,
                           5.5504108664821580e-2,  2.4022650695910072e-1,
                           6.9314718055994531e-1,  1.0};
#if defined(__AVX512DQ__)
  const Vec<double> f = _mm512_reduce_pd(x, 0x08);  // x - nearest; 0 for infinities
#else
  const Vec<double> clamped = xsimd::min(set(1024.0), xsimd::max(set(-1023.0), x));
  const Vec<double> whole = xsimd::nearbyint(clamped);
  const Vec<double> f = clamped - whole;
#endif
  Vec<double> p = set(kC[0]);
  HEED_UNROLL
  for (int i = 1; i < 14; ++i) p = fma(p, f, set(kC[i]));
#if defined(__AVX512DQ__)
  // scalef takes floor(x) of its second operand; the nearest whole number is what f was taken from.
  if constexpr (!kLook) return _mm512_scalef_pd(p, x - f);
  return _mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(x, set(-1022.0), _CMP_NLT_UQ), p, x - f);
#else
  // Adding 1.5 * 2^52 leaves whole in the low bits, where a shift makes it an exponent.
  const auto bits =
      xsimd::bitwise_cast<xsimd::batch<std::int64_t, Arch>>(whole + set(6755399441055744.0 + 1023.0));
  const Vec<double> scale = xsimd::bitwise_cast<Vec<double>>(bits << 52);
  if constexpr (!kLook) return p * scale;
  return xsimd::select(clamped < set(-1022.0), set(0.0), p * scale);
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

/// Interleaves the low (high) halves of a and b: a0 b0 a1 b1 ...
template <class T>
HEED_INLINE Vec<T> interleave_low(Vec<T> a, Vec<T> b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    const __m512i index = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    return _mm512_permutex2var_ps(a, index, b);
  } else {
    return _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20);
  } else {
    return _mm256_permute2f128_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b), 0x20);
  }
#else
  return xsimd::zip_lo(a, b);
#endif
}
template <class T>
HEED_INLINE Vec<T> interleave_high(Vec<T> a, Vec<T> b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    const __m512i index = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    return _mm512_permutex2var_ps(a, index, b);
  } else {
    return _mm512_permutex2var_pd(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    return _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31);
  } else {
    return _mm256_permute2f128_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b), 0x31);
  }
#else
  return xsimd::zip_hi(a, b);
#endif
}

/// Lane i of the result is the sum of the lanes of x[i]: as many vectors as lanes in about three instructions each, where one
/// by one they take a dozen.
template <class T>
HEED_INLINE Vec<T> lane_sums(Vec<T> (&x)[kLanes<T>]) {
  HEED_UNROLL
  for (int half = kLanes<T> / 2; half > 0; half /= 2) {
    HEED_UNROLL
    for (int i = 0; i < half; ++i)
      x[i] = interleave_low(x[i], x[i + half]) + interleave_high(x[i], x[i + half]);
  }
  return x[0];
}

/// rows[i] = column i of the lanes x lanes matrix at x, its rows `stride` apart: log2(lanes) rounds of interleaving.
template <class T>
HEED_INLINE void load_columns(const T* x, std::int64_t stride, Vec<T> (&rows)[kLanes<T>]) {
  constexpr int kN = kLanes<T>;
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    // The first two rounds are done by loading quarters of rows to where they belong.
    HEED_UNROLL
    for (int c = 0; c < 16; c += 4) {
      __m512 quad[4];
      HEED_UNROLL
      for (int i = 0; i < 4; ++i) {
        const float* p = x + i * stride + c;
        __m512 q = _mm512_castps128_ps512(_mm_loadu_ps(p));
        q = _mm512_insertf32x4(q, _mm_loadu_ps(p + 4 * stride), 1);
        q = _mm512_insertf32x4(q, _mm_loadu_ps(p + 8 * stride), 2);
        quad[i] = _mm512_insertf32x4(q, _mm_loadu_ps(p + 12 * stride), 3);
      }
      const __m512 low01 = _mm512_unpacklo_ps(quad[0], quad[1]),
                   high01 = _mm512_unpackhi_ps(quad[0], quad[1]);
      const __m512 low23 = _mm512_unpacklo_ps(quad[2], quad[3]),
                   high23 = _mm512_unpackhi_ps(quad[2], quad[3]);
      rows[c] = _mm512_shuffle_ps(low01, low23, 0x44);
      rows[c + 1] = _mm512_shuffle_ps(low01, low23, 0xEE);
      rows[c + 2] = _mm512_shuffle_ps(high01, high23, 0x44);
      rows[c + 3] = _mm512_shuffle_ps(high01, high23, 0xEE);
    }
    return;
  }
#endif
  HEED_UNROLL
  for (int i = 0; i < kN; ++i) rows[i] = load(x + i * stride);
  Vec<T> other[kN];
  HEED_UNROLL
  for (int round = 1; round < kN; round *= 2) {
    HEED_UNROLL
    for (int i = 0; i < kN / 2; ++i) {
      other[2 * i] = interleave_low(rows[i], rows[i + kN / 2]);
      other[2 * i + 1] = interleave_high(rows[i], rows[i + kN / 2]);
    }
    HEED_UNROLL
    for (int i = 0; i < kN; ++i) rows[i] = other[i];
  }
}

}  // namespace heed::kernels::cpu::HEED_TIER
