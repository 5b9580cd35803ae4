// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// 2^x, which everything that weighs is made of.
#pragma once

#include "kernels/cpu/attention/simd-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

/// While it lives, results below the normal range are 0: denormal numbers would slow down everything that meets them, and
/// looking for them takes time too. What the processor takes note of meanwhile stays noted (overflow_watch.h).
class NoDenormals {
 public:
#if defined(__x86_64__)
  static constexpr bool kExist = true;
  NoDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | _MM_FLUSH_ZERO_ON); }
  ~NoDenormals() { _mm_setcsr(before_ | (_mm_getcsr() & _MM_EXCEPT_MASK)); }
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

/// 2^x, off by less than 3 ulp, f64 by less than 1.5; NaN stays NaN. Below -126 (-1022), -inf included, it is 0; above 128 (1024)
/// it is inf. Without AVX-512 it is inf from 127.5 (1023.5) on, for it scales by the nearest power of 2. That makes no
/// difference: a weight of 1e12 is too large already, and gets another reference.
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

/// 2^x - 1, which keeps its digits where x is small; |x| up to 64.
template <class T>
HEED_INLINE Vec<T> exp2_less_one(Vec<T> x) {
  // Taylor of 2^f - 1 on [-1/2, 1/2], ln2^n / n!, f64 up to degree 14, f32 up to 7.
  constexpr double kC[] = {6.7787263548225e-14,    1.3691488853904128e-12, 2.5678435993488202e-11,
                           4.4455382718708116e-10, 7.0549116208011233e-9,  1.0178086009239699e-7,
                           1.3215486790144309e-6,  1.5252733804059841e-5,  1.5403530393381608e-4,
                           1.3333558146428443e-3,  9.6181291076284772e-3,  5.5504108664821580e-2,
                           2.4022650695910072e-1,  6.9314718055994531e-1};
  constexpr int kEnd = 14, kFirst = sizeof(T) == 4 ? kEnd - 7 : 0;
  const Vec<T> whole = xsimd::nearbyint(x), f = x - whole;
  Vec<T> p = set(static_cast<T>(kC[kFirst]));
  HEED_UNROLL
  for (int i = kFirst + 1; i < kEnd; ++i) p = fma(p, f, set(static_cast<T>(kC[i])));
#if defined(__AVX512F__)
  Vec<T> power;
  if constexpr (sizeof(T) == 4) {
    power = _mm512_scalef_ps(set(T{1}), whole);
  } else {
    power = _mm512_scalef_pd(set(T{1}), whole);
  }
#else
  const Vec<T> power = xsimd::ldexp(set(T{1}), xsimd::to_int(whole));
#endif
  return fma(power, p * f, power - set(T{1}));
}

}  // namespace heed::kernels::cpu::HEED_TIER
