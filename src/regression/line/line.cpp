// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/line.h"

#include "core/parallel.h"
#include "regression/line/order.h"
#include "regression/local_polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heed::regression {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
/// All weights are 1 here, for points in their Units.
constexpr double kWidest = 1e300;

double finite(double h) { return std::min(h, kWidest); }

/// Places in ascending order, without those that are not finite, and the rows they came from.
struct Places {
  std::vector<double> q;
  std::vector<std::size_t> rows;
  std::int64_t count;

  explicit Places(const Tensor& at) : count(at.size(0)) {
    const std::vector<double> all = at.to_vector();
    std::vector<double> kept;
    std::vector<std::size_t> from;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!std::isfinite(all[i])) continue;
      kept.push_back(all[i]);
      from.push_back(i);
    }
    for (const std::uint32_t i : sorted_order(kept)) {
      q.push_back(kept[i]);
      rows.push_back(from[i]);
    }
  }

  /// row(i, out) fills the M results of place i.
  template <class Row>
  Tensor results(std::int64_t M, const Row& row) const {
    const auto width = static_cast<std::size_t>(M);
    std::vector<double> out(static_cast<std::size_t>(count) * width, kNotANumber);
    for (std::size_t i = 0; i < rows.size(); ++i) row(i, &out[rows[i] * width]);
    return from_vector(out, {count, M});
  }
};

}  // namespace

Line::Line(const Tensor& x, const Tensor& y) : outputs_(y.size(1)) {
  const std::vector<double> places = x.to_vector();
  order_ = sorted_order(places);
  x_.reserve(order_.size());
  for (const std::uint32_t i : order_) x_.push_back(places[i]);
  sums_ = std::make_unique<const LineSums>(points_with(y));
  const std::vector<double> rows = y.to_vector();
  const auto M = static_cast<std::size_t>(outputs_);
  y_.reserve(rows.size());
  for (const std::uint32_t i : order_) y_.insert(y_.end(), &rows[i * M], &rows[i * M] + M);
  noise_ = neighbour_variances(x_, y_, M);
}

LinePoints Line::points_with(const Tensor& columns) const {
  const std::vector<double> rows = columns.to_vector();
  const std::size_t n = x_.size(), M = rows.size() / n;
  std::vector<double> values(n * (1 + M), 1.0);
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t i = 0; i < n; ++i) values[(1 + m) * n + i] = rows[order_[i] * M + m];
  }
  return {x_, std::move(values)};
}

Tensor Line::means_at(double h, const Tensor& at) const {
  const Places places(at);
  const std::vector<double> sums = sums_->at(places.q, finite(h), Counted::kAll, Scale::kAny);
  const std::size_t m = places.q.size();
  return places.results(outputs_, [&](std::size_t i, double* out) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(outputs_); ++c)
      out[c] = sums[(1 + c) * m + i] / sums[i];
  });
}

Tensor Line::means_of_others(double h) const {
  const std::vector<double> sums = sums_->at(x_, finite(h), Counted::kOthers, Scale::kAny);
  const std::size_t n = x_.size(), M = static_cast<std::size_t>(outputs_);
  std::vector<double> out(n * M);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < M; ++c) out[order_[i] * M + c] = sums[(1 + c) * n + i] / sums[i];
  }
  return from_vector(out, {static_cast<std::int64_t>(n), outputs_});
}

std::vector<double> Line::squared_errors(double h) const {
  const std::vector<double> sums = sums_->at(x_, finite(h), Counted::kOthers, Scale::kAny);
  const std::size_t n = x_.size();
  std::vector<double> totals;
  for (int c = 1; c <= outputs_; ++c) {
    const double* y = sums_->points().channel(c);
    const double* pooled = &sums[static_cast<std::size_t>(c) * n];
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double miss = pooled[i] / sums[i] - y[i];
      total += miss * miss;
    }
    totals.push_back(total / static_cast<double>(n));
  }
  return totals;
}

Tensor Line::variances_at(double h, const Tensor& squares, const Tensor& at) const {
  const Places places(at);
  // The square of the kernel is the kernel of a bandwidth narrower by the root of 2.
  const LineSums narrow(points_with(squares));
  const std::vector<double> spread =
      narrow.at(places.q, finite(h) * (std::numbers::sqrt2 / 2), Counted::kAll, Scale::kNearest);
  const std::vector<double> weight = sums_->at(places.q, finite(h), Counted::kAll, Scale::kNearest);
  const std::size_t m = places.q.size();
  return places.results(outputs_, [&](std::size_t i, double* out) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(outputs_); ++c)
      // Interpolated, a sum of nothing but zeros may be a little below.
      out[c] = std::max(0.0, spread[(1 + c) * m + i]) / (weight[i] * weight[i]);
  });
}

Tensor Line::own_weights(double h) const {
  const std::vector<double> sums = sums_->at(x_, finite(h), Counted::kAll, Scale::kNearest);
  std::vector<double> out(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) out[order_[i]] = std::min(1.0, 1 / sums[i]);
  return from_vector(out, {static_cast<std::int64_t>(x_.size())});
}

Line::Polynomial Line::polynomial(double h, int degree, const Tensor& at) const {
  const std::vector<double> places = at.to_vector();
  const auto M = static_cast<std::size_t>(outputs_);
  std::vector<double> value(places.size() * M, kNotANumber), slope = value, noise = value;
  std::vector<double> shrinkage(places.size(), kNotANumber), effective = shrinkage,
                                                             noise_effective = shrinkage;
  parallel_for(static_cast<std::int64_t>(places.size()), 16, [&](std::int64_t begin, std::int64_t end) {
    // A variance asks for more points than a mean, and changes less from place to place.
    LocalPolynomial curve(x_, finite(h), degree), average(x_, finite(2 * h), 0);
    const auto pooled = [&](const std::vector<double>& rows, std::int64_t first,
                            const std::vector<double>& weights, double* out) {
      std::fill_n(out, M, 0.0);
      const double* row = &rows[static_cast<std::size_t>(first) * M];
      for (const double weight : weights) {
        for (std::size_t m = 0; m < M; ++m) out[m] += weight * row[m];
        row += M;
      }
    };
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (!std::isfinite(places[i])) continue;
      const LocalPolynomial::Weights& w = curve.at(places[i]);
      const LocalPolynomial::Weights& share = average.at(places[i]);
      pooled(y_, w.first, w.value, &value[i * M]);
      pooled(y_, w.first, w.slope, &slope[i * M]);
      pooled(noise_, share.first, share.value, &noise[i * M]);
      shrinkage[i] = 0;
      for (const double weight : w.value) shrinkage[i] += weight * weight;
      effective[i] = w.effective;
      noise_effective[i] = share.effective;
    }
  });
  const Shape shape = {at.size(0), outputs_}, rows = {at.size(0)};
  return {from_vector(value, shape),    from_vector(slope, shape),    from_vector(noise, shape),
          from_vector(shrinkage, rows), from_vector(effective, rows), from_vector(noise_effective, rows)};
}

}  // namespace heed::regression
