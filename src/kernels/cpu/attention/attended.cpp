// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which queries and keys take part in some pair. Modules ask before they project, so it must cost nothing beside attention.
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "kernels/cpu/attention/engine.h"

#include <algorithm>

namespace heed::kernels::cpu {
namespace {

/// The keys [begin, end) that lengths and band leave to row i of batch b.
struct Range {
  std::int64_t begin, end;
};
Range range_of(const AttendProblem& p, std::int64_t b, std::int64_t i) {
  const MaskParams& m = p.mask;
  std::int64_t end = std::min(p.Lk, i + m.high + 1);
  if (m.valid_lens) end = std::min(end, m.valid_lens[b * m.lens_batch_stride + i * m.lens_row_stride]);
  const std::int64_t begin = std::max<std::int64_t>(0, i + m.low);
  return {begin, std::max(begin, end)};
}

/// Entry j of a row of a (B, H, Lq, Lk) operand; T: of its elements.
template <class T>
struct Row {
  const T* data;
  std::int64_t column;

  Row(const HeadedMatrix& m, std::int64_t b, std::int64_t h, std::int64_t i)
      : data(static_cast<const T*>(m.data) + b * m.batch + h * m.head + i * m.row), column(m.column) {}
  T operator[](std::int64_t j) const { return data[j * column]; }
};

/// keys[j] |= takes_part(j) for the range's keys. Whether some of them do.
template <class TakesPart>
bool mark(const Range& range, bool* keys, const TakesPart& takes_part) {
  int any = 0;
#pragma omp simd reduction(| : any)
  for (std::int64_t j = range.begin; j < range.end; ++j) {
    const bool part = takes_part(j);
    keys[j] = keys[j] | part;
    any |= part;
  }
  return any != 0;
}

template <class T>
bool mark_row(const AttendProblem& p, std::int64_t b, std::int64_t h, std::int64_t i, const Range& range,
              bool* keys) {
  constexpr T kMinusInf = -std::numeric_limits<T>::infinity();
  const Row<bool> allowed(p.mask.allowed, b, h, i);
  const Row<T> bias(p.bias, b, h, i);
  if (!p.bias.data) return mark(range, keys, [=](std::int64_t j) { return allowed[j]; });
  if (!p.mask.allowed.data) return mark(range, keys, [=](std::int64_t j) { return bias[j] != kMinusInf; });
  return mark(range, keys, [=](std::int64_t j) {
    const bool finite = bias[j] != kMinusInf;
    return allowed[j] && finite;
  });
}

/// Ranges alone say who takes part; each begins or ends where the one before did, or near it, so little is marked twice.
void mark_ranges(const AttendProblem& p, std::int64_t b, bool* queries, bool* keys) {
  Range marked{0, 0};
  for (std::int64_t i = 0; i < p.Lq; ++i) {
    const Range range = range_of(p, b, i);
    queries[i] = range.begin < range.end;
    if (!queries[i]) continue;
    const bool follows = range.begin >= marked.begin && range.begin <= marked.end;
    std::fill(keys + (follows ? std::min(marked.end, range.end) : range.begin), keys + range.end, true);
    marked = follows ? Range{marked.begin, std::max(marked.end, range.end)} : range;
  }
}

template <class T>
void mark_head(const AttendProblem& p, std::int64_t b, std::int64_t h, bool* queries, bool* keys) {
  if (!p.mask.allowed.data && !p.bias.data) return mark_ranges(p, b, queries, keys);
  for (std::int64_t i = 0; i < p.Lq; ++i) queries[i] = mark_row<T>(p, b, h, i, range_of(p, b, i), keys);
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
