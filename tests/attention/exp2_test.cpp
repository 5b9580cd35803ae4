// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// 2^x on every tier of this CPU, densely over its range and beyond, against the C library's in long double.
#include "attention/exp2_of_tier.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::kernels::cpu {
#if defined(HEED_TEST_AVX)
namespace exp2_avx512 {
extern const test::Exp2OfTier kExp2;
}
namespace exp2_avx2 {
extern const test::Exp2OfTier kExp2;
}
#endif
namespace exp2_baseline {
extern const test::Exp2OfTier kExp2;
}
}  // namespace heed::kernels::cpu

namespace heed::test {
namespace {

std::vector<const Exp2OfTier*> tiers() {
  std::vector<const Exp2OfTier*> found;
  const std::vector<std::string> here = simd_tiers();
  for (const Exp2OfTier* tier : {
#if defined(HEED_TEST_AVX)
         &kernels::cpu::exp2_avx512::kExp2, &kernels::cpu::exp2_avx2::kExp2,
#endif
             &kernels::cpu::exp2_baseline::kExp2
       }) {
    if (std::find(here.begin(), here.end(), tier->name) != here.end()) found.push_back(tier);
  }
  return found;
}

template <class T>
constexpr T kLowest = std::numeric_limits<T>::min_exponent - 1;  // 2^x is normal from here on
template <class T>
constexpr T kHighest = std::numeric_limits<T>::max_exponent;  // and beyond all numbers from here on

/// In units of the last place of what is exact; exp2-inl.h states it.
template <class T>
constexpr double kBound = sizeof(T) == 4 ? 3 : 1.5;

/// Every `step` from below the range to above it, each moved up at random by less than that; fewer where long double has no
/// instructions of its own, as on Arm.
template <class T>
std::vector<T> dense(T step, Generator& g) {
  const T from = kLowest<T> - std::numeric_limits<T>::digits - 2, to = kHighest<T> + 2;
  std::vector<T> x;
  if constexpr (std::numeric_limits<long double>::digits > 64) step *= 64;
  for (T at = from; at < to; at += step) {
    x.push_back(at);
    x.push_back(at + step * static_cast<T>(static_cast<double>(g.next() >> 11) * 0x1p-53));
  }
  return x;
}

/// Whole numbers and halves, their neighbours, what is next to nothing, and what is no number.
template <class T>
std::vector<T> edges() {
  constexpr T kInf = std::numeric_limits<T>::infinity();
  std::vector<T> x = {T{0},
                      -T{0},
                      kInf,
                      -kInf,
                      std::numeric_limits<T>::quiet_NaN(),
                      -std::numeric_limits<T>::quiet_NaN(),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::lowest(),
                      std::numeric_limits<T>::min(),
                      -std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::denorm_min(),
                      -std::numeric_limits<T>::denorm_min()};
  for (T at = kLowest<T> - std::numeric_limits<T>::digits - 2; at < kHighest<T> + 2; at += T{0.5}) {
    for (const T towards : {-kInf, at, kInf}) x.push_back(std::nextafter(at, towards));
  }
  return x;
}

/// Beyond it a tier gives infinity: those that scale by the nearest power of 2 half a power early.
template <class T>
T infinite_above(const std::string& tier) {
  return tier == "avx512" ? kHighest<T> : kHighest<T> - T{0.5};
}

/// Error in units of the last place; infinite where a result is of the wrong kind.
template <class T>
double error_of(T found, T x, long double exact, T infinite) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(x)) return std::isnan(found) ? 0 : kWrong;
  // At the borders themselves it may round either way.
  if (x < kLowest<T> || (x == kLowest<T> && found == 0))
    return found == 0 && !std::signbit(found) ? 0 : kWrong;
  if (x > infinite || (x == infinite && std::isinf(found)))
    return found > std::numeric_limits<T>::max() ? 0 : kWrong;
  const long double place = std::ldexp(1.0L, std::ilogb(exact) + 1 - std::numeric_limits<T>::digits);
  const auto error = static_cast<double>(std::abs(static_cast<long double>(found) - exact) / place);
  return std::isnan(error) ? kWrong : error;
}

template <class T>
void check_every_tier(Exp2Ways<T> Exp2OfTier::*ways, std::vector<T> x) {
  x.resize((x.size() + 15) / 16 * 16);
  std::vector<long double> exact;
  exact.reserve(x.size());
  for (const T at : x) exact.push_back(std::exp2(static_cast<long double>(at)));
  std::vector<T> found(x.size());
  for (const Exp2OfTier* tier : tiers()) {
    for (const Exp2<T> way : {(tier->*ways).looked_for, (tier->*ways).flushed}) {
      way(x.data(), static_cast<std::int64_t>(x.size()), found.data());
      double worst = 0;
      std::size_t where = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = error_of(found[i], x[i], exact[i], infinite_above<T>(tier->name));
        if (error > worst) where = i;
        worst = std::max(worst, error);
      }
      EXPECT_LE(worst, kBound<T>) << tier->name << (way == (tier->*ways).flushed ? ", flushed" : "") << ": 2^"
                                  << std::hexfloat << x[where] << " = " << found[where];
    }
  }
}

TEST(Exp2, IsWithinTheDocumentedBoundOverItsWholeRangeOnEveryTier) {
  Generator g(61);
  check_every_tier(&Exp2OfTier::f32, dense(0x1p-11F, g));
  check_every_tier(&Exp2OfTier::f64, dense(0x1p-7, g));
}

TEST(Exp2, IsRightAtTheEdgesOfItsRangeAndBeyondOnEveryTier) {
  check_every_tier(&Exp2OfTier::f32, edges<float>());
  check_every_tier(&Exp2OfTier::f64, edges<double>());
}

TEST(Exp2, IsTestedOnEveryTierOfThisCpu) { EXPECT_EQ(tiers().size(), simd_tiers().size()); }

}  // namespace
}  // namespace heed::test
