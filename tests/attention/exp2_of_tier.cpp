// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// HEED_TIER names the namespace and HEED_TIER_NAME the tier. No function of the standard library may be used here: the linker
// could pick this copy for the whole program.
#include "attention/exp2_of_tier.h"
#include "kernels/cpu/attention/exp2-inl.h"

namespace heed::kernels::cpu::HEED_TIER {

template <class T, Denormals kDenormals>
void exp2_of_each(const T* x, std::int64_t n, T* out) {
  for (std::int64_t i = 0; i < n; i += kLanes<T>) store(out + i, exp2<kDenormals>(load(x + i)));
}
template <class T>
void looked_for(const T* x, std::int64_t n, T* out) noexcept {
  exp2_of_each<T, Denormals::kLookedFor>(x, n, out);
}
template <class T>
void flushed(const T* x, std::int64_t n, T* out) noexcept {
  const NoDenormals mode;
  exp2_of_each<T, Denormals::kFlushed>(x, n, out);
}

extern const test::Exp2OfTier kExp2;
const test::Exp2OfTier kExp2{
    HEED_TIER_NAME, {looked_for<float>, flushed<float>}, {looked_for<double>, flushed<double>}};

}  // namespace heed::kernels::cpu::HEED_TIER
