// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/pooling.h"

#include "regression/distant.h"
#include "regression/leave_one_out.h"

#include <heed/attend.h>
#include <heed/ops.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace heed::regression {
namespace {

constexpr double kRootHalf = std::numbers::sqrt2 / 2;
/// What scores may lose of their differences before a row is computed from differences between points; and where their
/// exponentials do not cancel.
constexpr double kTolerance = 1e-10, kAbsoluteTolerance = 1e-12;
/// Points of less weight than exp(-40) do not count.
constexpr double kDeepestScore = 40;

Rows pooled(const Tensor& at, const Tensor& x, const Tensor& y, const Tensor& bandwidth) {
  const AttendResult result = attend_with_weights(at, x, y, {.score = Gaussian{.bandwidth = bandwidth}});
  return {result.output, result.log_sum_exp};
}

/// The places whose rows have lost more than `tolerance`, or are not finite. Coordinates are rounded when they are divided by
/// the bandwidth, and distances multiply that.
std::vector<std::size_t> distant_rows(const Tensor& at, const Tensor& bandwidth, const Rows& rows,
                                      double tolerance) {
  const std::vector<double> places = at.to_vector(), h = bandwidth.to_vector(),
                            logs = rows.log_sum_exp.to_vector(), values = rows.values.to_vector();
  const std::size_t D = h.size(), M = logs.empty() ? 0 : values.size() / logs.size();
  std::vector<std::size_t> distant;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    double farthest = 0;
    for (std::size_t d = 0; d < D; ++d) farthest = std::max(farthest, std::abs(places[i * D + d] / h[d]));
    // Not std::max, which hides a NaN.
    const double depth = logs[i] >= 0 ? 0 : -logs[i];
    const double reach = std::sqrt(2 * (kDeepestScore + depth));
    bool kept = (1 + farthest) * reach * std::numeric_limits<double>::epsilon() <= tolerance;
    for (std::size_t m = 0; m < M; ++m) kept = kept && std::isfinite(values[i * M + m]);
    if (!kept) distant.push_back(i);
  }
  return distant;
}

/// Writes row(weights) over the distant rows of `values` (m, M), which belong to the places `at`; `alone`: row i leaves
/// point i out.
template <class Row>
void mend(const Sample& sample, const Tensor& bandwidth, const Tensor& at,
          const std::vector<std::size_t>& rows, bool alone, const Tensor& values, const Row& row) {
  if (rows.empty()) return;
  const std::vector<double> x = sample.data.x.to_vector(), h = bandwidth.to_vector(), places = at.to_vector();
  DistantWeights weights(x, h);
  double* out = values.mutable_data<double>();
  const auto M = static_cast<std::size_t>(values.size(1));
  for (const std::size_t i : rows) {
    const std::span<const double> place(&places[i * h.size()], h.size());
    bool finite = true;
    for (const double entry : place) finite = finite && std::isfinite(entry);
    if (!finite) {
      std::fill_n(out + i * M, M, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    row(weights.at(place, alone ? static_cast<std::int64_t>(i) : DistantWeights::kNobody), out + i * M);
  }
}

/// out_m = sum_i weight(p_i) values_im
template <class Weight>
auto sum_of(const std::vector<double>& values, std::size_t M, const Weight& weight) {
  return [&values, M, weight](const std::vector<double>& p, double* out) {
    std::fill_n(out, M, 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t m = 0; m < M; ++m) out[m] += weight(p[i]) * values[i * M + m];
    }
  };
}

void mend_means(const Sample& sample, const Tensor& bandwidth, const Tensor& at, bool alone,
                const Rows& rows) {
  const std::vector<std::size_t> distant = distant_rows(at, bandwidth, rows, kTolerance);
  if (distant.empty()) return;
  const std::vector<double> y = sample.data.y.to_vector();
  mend(sample, bandwidth, at, distant, alone, rows.values,
       sum_of(y, static_cast<std::size_t>(sample.data.y.size(1)), [](double p) { return p; }));
}

}  // namespace

Sample::Sample(const Data& points) : data(points) {
  if (data.x.size(1) == 1) line = std::make_shared<const Line>(data.x, data.y);
}

Tensor means_at(const Sample& sample, const Tensor& bandwidth, const Tensor& at) {
  if (sample.line) return sample.line->means_at(bandwidth.item(), at);
  const Rows rows = pooled(at, sample.data.x, sample.data.y, bandwidth);
  mend_means(sample, bandwidth, at, false, rows);
  return rows.values;
}

Tensor means_of_others(const Sample& sample, const Tensor& bandwidth) {
  if (sample.line) return sample.line->means_of_others(bandwidth.item());
  const Rows rows = left_out(sample.data, Gaussian{.bandwidth = bandwidth});
  mend_means(sample, bandwidth, sample.data.x, true, rows);
  return rows.values;
}

std::vector<double> squared_errors(const Sample& sample, const Tensor& bandwidth) {
  if (sample.line) return sample.line->squared_errors(bandwidth.item());
  const Tensor misses = means_of_others(sample, bandwidth) - sample.data.y;
  return mean(misses * misses, 0).to_vector();
}

Tensor variances_at(const Sample& sample, const Tensor& bandwidth, const Tensor& squares, const Tensor& at) {
  if (sample.line) return sample.line->variances_at(bandwidth.item(), squares, at);
  // The square of the kernel is the kernel of a bandwidth narrower by the root of 2.
  const Tensor narrow = bandwidth * kRootHalf;
  const Rows wide = pooled(at, sample.data.x, zeros({squares.size(0), 0}, f64), bandwidth);
  const Rows rows = pooled(at, sample.data.x, squares, narrow);
  const Tensor values = rows.values * exp(rows.log_sum_exp - 2 * wide.log_sum_exp).unsqueeze(1);
  const std::vector<double> r = squares.to_vector();
  mend(sample, bandwidth, at, distant_rows(at, narrow, rows, kAbsoluteTolerance), false, values,
       sum_of(r, static_cast<std::size_t>(squares.size(1)), [](double p) { return p * p; }));
  return values;
}

Tensor own_weights(const Sample& sample, const Tensor& bandwidth) {
  if (sample.line) return sample.line->own_weights(bandwidth.item());
  const Tensor& x = sample.data.x;
  const Rows rows = pooled(x, x, zeros({x.size(0), 0}, f64), bandwidth);
  // A point's own score is 0.
  const Tensor own = exp(-rows.log_sum_exp);
  double* out = own.mutable_data<double>();
  const std::vector<std::size_t> distant = distant_rows(x, bandwidth, rows, kAbsoluteTolerance);
  if (distant.empty()) return own;
  const std::vector<double> points = x.to_vector(), h = bandwidth.to_vector();
  DistantWeights weights(points, h);
  for (const std::size_t i : distant)
    out[i] = weights.at(std::span(points).subspan(i * h.size(), h.size()))[i];
  return own;
}

}  // namespace heed::regression
