// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which tiers this build has and which one runs.
#include "core/check.h"
#include "kernels/cpu/attention/tier.h"

#include <heed/runtime.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace heed {
namespace kernels::cpu {

#if defined(__x86_64__) && !defined(HEED_NO_AVX)
extern const AttentionTier kTier_avx512, kTier_avx2;
#endif
extern const AttentionTier kTier_baseline;

namespace {

constexpr const AttentionTier* kTiers[] = {
#if defined(__x86_64__) && !defined(HEED_NO_AVX)
    &kTier_avx512,
    &kTier_avx2,
#endif
    &kTier_baseline,
};

std::atomic<const AttentionTier*> chosen{nullptr};

const AttentionTier& find(const std::string& name, std::string_view op) {
  std::string known;
  for (const AttentionTier* tier : kTiers) {
    if (!tier->supported()) continue;
    if (name == tier->name) return *tier;
    known += known.empty() ? "" : ", ";
    known += tier->name;
  }
  fail(op, fmt::format("no tier '{}' on this CPU; there are {}", name, known));
}

const AttentionTier& first_choice() {
  if (const char* forced = std::getenv("HEED_SIMD"); forced && *forced) return find(forced, "HEED_SIMD");
  for (const AttentionTier* tier : kTiers) {
    if (tier->supported()) return *tier;
  }
  return kTier_baseline;
}

}  // namespace

const AttentionTier& active_tier() {
  const AttentionTier* tier = chosen.load(std::memory_order_acquire);
  if (!tier) {
    tier = &first_choice();
    chosen.store(tier, std::memory_order_release);
  }
  return *tier;
}

}  // namespace kernels::cpu

std::vector<std::string> simd_tiers() {
  std::vector<std::string> names;
  for (const kernels::cpu::AttentionTier* tier : kernels::cpu::kTiers) {
    if (tier->supported()) names.emplace_back(tier->name);
  }
  return names;
}

std::string simd_tier() { return kernels::cpu::active_tier().name; }

void set_simd_tier(const std::string& name) {
  kernels::cpu::chosen.store(&kernels::cpu::find(name, "set_simd_tier"));
}

}  // namespace heed
