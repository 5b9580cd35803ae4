// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/cpu/attention/recover.h"

#include "kernels/cpu/attention/wide_row.h"

namespace heed::kernels::cpu {
namespace {

/// The largest of the finite ones in size.
template <class T>
T largest_finite(const RowEntries<T>& row, std::int64_t count) {
  T most = 0;
  for (std::int64_t d = 0; d < count; ++d) {
    const T size = std::abs(row[d]);
    if (size > most && is_finite(size)) most = size;
  }
  return most;
}

/// sum_j weight_j v_j by columns, so many at a time.
constexpr std::int64_t kColumns = 64;

template <class T>
void write_output(const AttendForward& f, const WideRow<T>& row, const WideSoftmax<T>& softmax) {
  const AttendProblem& p = f.problem;
  const RowPlace& at = row.place();
  T* out = static_cast<T*>(f.out.data) + at.b * f.out.batch + at.h * f.out.head + at.i * f.out.row;
  for (std::int64_t begin = 0; begin < p.Dv; begin += kColumns) {
    const std::int64_t count = std::min(kColumns, p.Dv - begin);
    Wide<T> sums[kColumns] = {};
    row.each_pair([&](const WidePair<T>& pair) {
      const Wide<T> weight =
          softmax.weight(pair) * static_cast<Wide<T>>(dropout_factor(p.dropout, at, pair.key));
      const RowEntries<T> value = row.value(pair.key);
      for (std::int64_t c = 0; c < count; ++c) sums[c] += weight * static_cast<Wide<T>>(value[begin + c]);
    });
    for (std::int64_t c = 0; c < count; ++c) out[begin + c] = static_cast<T>(sums[c]);
  }
}

}  // namespace

template <class T>
bool scores_may_overflow(const AttendProblem& p, const RowPlace& first, std::int64_t count) noexcept {
  T query = 0, key = 0, weight = 0;
  KeyRange hull{p.Lk, 0};
  for (std::int64_t i = first.i; i < first.i + count; ++i) {
    const KeyRange range = key_range(p, first.b, i);
    if (range.first == range.last) continue;
    hull = {std::min(hull.first, range.first), std::max(hull.last, range.last)};
    query = std::max(query, largest_finite(RowEntries<T>(p.queries, first.b, first.h, i), p.D));
  }
  const std::int64_t hkv = first.h / (p.H / p.Hkv);
  for (std::int64_t j = hull.first; j < hull.last; ++j) {
    key = std::max(key, largest_finite(RowEntries<T>(p.keys, first.b, hkv, j), p.D));
  }
  for (std::int64_t d = 0; p.score_weights && d < p.D; ++d) {
    const T size = std::abs(static_cast<const T*>(p.score_weights)[d]);
    if (size > weight && is_finite(size)) weight = size;
  }
  const Wide<T> D = static_cast<Wide<T>>(p.D), q = query, k = key, w = weight,
                limit = std::numeric_limits<T>::max() / 8;
  switch (p.score) {
    case ScoreKind::kDot: {
      const Wide<T> scaled = q * static_cast<Wide<T>>(std::abs(p.scale));
      return scaled > limit || D * scaled * k > limit;
    }
    case ScoreKind::kGaussian: return q + k > limit || D * (w * (q + k)) * (w * (q + k)) > limit;
    case ScoreKind::kAdditive: return D * w > limit;
  }
  return true;
}

template <class T>
bool row_overflows(const AttendProblem& p, const RowPlace& at) noexcept {
  return WideRow<T>(p, at).kind() == RowKind::kOverflows;
}

template <class T>
void recover_row(const AttendForward& f, const RowPlace& at, RowState state) noexcept {
  const AttendProblem& p = f.problem;
  const WideRow<T> row(p, at);
  const RowKind kind = row.kind();
  T& log_sum_exp = static_cast<T*>(f.log_sum_exp)[(at.b * p.H + at.h) * p.Lq + at.i];
  if (kind == RowKind::kEmpty || (kind != RowKind::kOverflows && state == RowState::kNormal)) return;
  if (kind == RowKind::kNotFinite) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    T* out = static_cast<T*>(f.out.data) + at.b * f.out.batch + at.h * f.out.head + at.i * f.out.row;
    std::fill_n(out, p.Dv, kNan);
    log_sum_exp = kNan;
    return;
  }
  const WideSoftmax<T> softmax(row);
  write_output(f, row, softmax);
  log_sum_exp = static_cast<T>(softmax.log_sum_exp());
}

template <class T>
void recover_weights(const AttendProblem& p, const RowPlace& at, RowState state, T* out) noexcept {
  const WideRow<T> row(p, at);
  const RowKind kind = row.kind();
  if (kind == RowKind::kEmpty || kind == RowKind::kNotFinite) return;
  if (kind != RowKind::kOverflows && state == RowState::kNormal) return;
  const WideSoftmax<T> softmax(row);
  std::fill_n(out, p.Lk, T{0});
  row.each_pair([&](const WidePair<T>& pair) { out[pair.key] = static_cast<T>(softmax.weight(pair)); });
}

#define HEED_INSTANTIATE(T)                                                                           \
  template bool scores_may_overflow<T>(const AttendProblem&, const RowPlace&, std::int64_t) noexcept; \
  template bool row_overflows<T>(const AttendProblem&, const RowPlace&) noexcept;                     \
  template void recover_row<T>(const AttendForward&, const RowPlace&, RowState) noexcept;             \
  template void recover_weights<T>(const AttendProblem&, const RowPlace&, RowState, T*) noexcept;
HEED_INSTANTIATE(float)
HEED_INSTANTIATE(double)
#undef HEED_INSTANTIATE

}  // namespace heed::kernels::cpu
