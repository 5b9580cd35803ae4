// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which queries and keys take part in some pair. Modules ask before they project, so it must cost nothing beside attention.
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "kernels/cpu/attention/engine.h"
#include "kernels/cpu/attention/key_range.h"

#include <algorithm>

namespace heed::kernels::cpu {
namespace {

/// keys[j] |= takes_part(j) for the range's keys. Whether some of them do.
template <class TakesPart>
bool mark(const KeyRange& range, bool* keys, const TakesPart& takes_part) {
  int any = 0;
#pragma omp simd reduction(| : any)
  for (std::int64_t j = range.first; j < range.last; ++j) {
    const bool part = takes_part(j);
    keys[j] = keys[j] | part;
    any |= part;
  }
  return any != 0;
}

template <class T>
bool mark_row(const AttendProblem& p, std::int64_t b, std::int64_t h, std::int64_t i, const KeyRange& range,
              bool* keys) {
  constexpr T kMinusInf = -std::numeric_limits<T>::infinity();
  const RowEntries<bool> allowed(p.mask.allowed, b, h, i);
  const RowEntries<T> bias(p.bias, b, h, i);
  if (!p.bias.data) return mark(range, keys, [=](std::int64_t j) { return allowed[j]; });
  if (!p.mask.allowed.data) return mark(range, keys, [=](std::int64_t j) { return bias[j] != kMinusInf; });
  return mark(range, keys, [=](std::int64_t j) {
    const bool finite = bias[j] != kMinusInf;
    return allowed[j] && finite;
  });
}

/// Ranges alone say who takes part; each begins or ends where the one before did, or near it, so little is marked twice.
void mark_ranges(const AttendProblem& p, std::int64_t b, bool* queries, bool* keys) {
  KeyRange marked{0, 0};
  for (std::int64_t i = 0; i < p.Lq; ++i) {
    const KeyRange range = key_range(p, b, i);
    queries[i] = range.first < range.last;
    if (!queries[i]) continue;
    const bool follows = range.first >= marked.first && range.first <= marked.last;
    std::fill(keys + (follows ? std::min(marked.last, range.last) : range.first), keys + range.last, true);
    marked = follows ? KeyRange{marked.first, std::max(marked.last, range.last)} : range;
  }
}

template <class T>
void mark_head(const AttendProblem& p, std::int64_t b, std::int64_t h, bool* queries, bool* keys) {
  if (!p.mask.allowed.data && !p.bias.data) return mark_ranges(p, b, queries, keys);
  for (std::int64_t i = 0; i < p.Lq; ++i) queries[i] = mark_row<T>(p, b, h, i, key_range(p, b, i), keys);
}

}  // namespace

void attended(const Attended& f) noexcept {
  const AttendProblem& p = f.problem;
  if (p.Hkv == 0) return;
  const auto same = [](const HeadedMatrix& m) { return !m.data || m.head == 0; };
  const bool alike = same(p.mask.allowed) && same(p.bias);
  const std::int64_t group = p.H / p.Hkv, pairs = std::max<std::int64_t>(1, p.Lq * p.Lk * (alike ? 1 : p.H));
  parallel_for(p.B, (1 << 18) / pairs + 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      bool *queries = f.queries + b * p.H * p.Lq, *keys = f.keys + b * p.Hkv * p.Lk;
      for (std::int64_t h = 0; h < (alike ? 1 : p.H); ++h) {
        visit_floating(p.dtype, [&](auto zero) {
          mark_head<decltype(zero)>(p, b, h, queries + h * p.Lq, keys + h / group * p.Lk);
        });
      }
      for (std::int64_t h = 1; alike && h < p.H; ++h) std::copy_n(queries, p.Lq, queries + h * p.Lq);
      for (std::int64_t h = 1; alike && h < p.Hkv; ++h) std::copy_n(keys, p.Lk, keys + h * p.Lk);
    }
  });
}

}  // namespace heed::kernels::cpu
