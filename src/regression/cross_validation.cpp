// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The choice of bandwidths by leave-one-out cross-validation. That an irrelevant feature gets an endless one, and so drops
// out, is how it behaves for many points too: Hall, Li and Racine (2007), "Nonparametric estimation of regression
// functions in the presence of irrelevant regressors".
#include "core/check.h"
#include "regression/line_search.h"
#include "regression/pooling.h"
#include "regression/search_range.h"
#include "regression/units.h"

#include <heed/autograd.h>
#include <heed/ops.h>
#include <heed/regression.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heed {
namespace {

using regression::Column;
using regression::Data;
using regression::Sample;
using regression::search_range;

constexpr std::string_view kSearchName = "cross_validated_bandwidth";
constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Rounds over all features, and the gain below which another is not worth its time.
constexpr int kMostRounds = 8;
constexpr double kWorthwhileGain = 1e-4;

class Search {
 public:
  Search(const Sample& sample, const BandwidthWatch& watch)
      : sample_(sample), watch_(watch), columns_(regression::columns_of(sample.data.x)) {
    for (const Column& y : regression::columns_of(sample.data.y)) {
      // An output that is constant is met exactly by any bandwidth.
      inverse_variances_.push_back(y.constant() ? 0 : 1 / (y.stddev * y.stddev));
    }
    for (std::size_t d = 0; d < columns_.size(); ++d) {
      if (!columns_[d].constant()) features_.push_back(d);
    }
    const int rounds = features_.size() > 1 ? kMostRounds : 1;
    progress_.at_most = 1;
    for (const std::size_t d : features_)
      progress_.at_most += rounds * (most_calls(search_range(columns_[d])) + 1);
  }

  std::vector<double> bandwidth() {
    start();
    best_ = error(h_);
    if (features_.size() == 1) {
      improve(features_.front());
      return h_;
    }
    for (int round = 0; round < kMostRounds; ++round) {
      const double before = best_;
      for (const std::size_t d : features_) improve(d);
      if (!(before - best_ > kWorthwhileGain * before)) break;
    }
    return h_;
  }

 private:
  /// Scott's rule: the right order of size for smooth functions.
  void start() {
    const auto n = static_cast<double>(sample_.data.x.size(0)), D = static_cast<double>(features_.size());
    h_.assign(columns_.size(), kEndless);
    for (const std::size_t d : features_) h_[d] = columns_[d].stddev * std::pow(n, -1 / (D + 4));
  }

  void improve(std::size_t d) {
    std::vector<double> h = h_;
    const auto at = [&](double log_h) {
      h[d] = std::exp(log_h);
      return error(h);
    };
    const regression::Least least = least_of(at, search_range(columns_[d]));
    if (least.value <= best_) {
      best_ = least.value;
      h_[d] = std::exp(least.place);
    }
    // All points alike: a grid of finite bandwidths comes near, but a feature without use should say so.
    h[d] = kEndless;
    const double without = error(h);
    if (without <= best_) {
      best_ = without;
      h_[d] = kEndless;
    }
  }

  /// Leave-one-out squared error, as a mean over the outputs of shares of their variance.
  double error(const std::vector<double>& h) {
    const Tensor bandwidth = from_vector(h, {static_cast<std::int64_t>(h.size())});
    const std::vector<double> squares = regression::squared_errors(sample_, bandwidth);
    const double total = std::inner_product(squares.begin(), squares.end(), inverse_variances_.begin(), 0.0) /
                         static_cast<double>(squares.size());
    check(std::isfinite(total), kSearchName, "the leave-one-out error came out as {}, expected a number",
          total);
    progress_.done += 1;
    progress_.error = progress_.done == 1 ? total : std::min(progress_.error, total);
    if (watch_) watch_(progress_);
    return total;
  }

  const Sample& sample_;
  const BandwidthWatch& watch_;
  std::vector<Column> columns_;
  std::vector<double> inverse_variances_;  ///< of the outputs
  std::vector<std::size_t> features_;      ///< those that are not constant
  std::vector<double> h_;
  double best_ = kEndless;
  BandwidthProgress progress_;
};

}  // namespace

Tensor cross_validated_bandwidth(const Tensor& x, const Tensor& y, const BandwidthWatch& watch) {
  const NoGrad guard;
  const Data raw = regression::checked_data(x, y, kSearchName);
  check(raw.x.size(0) >= 2, kSearchName, "needs at least 2 points to leave one out, found {}", raw.x.size(0));
  const auto x_units = regression::Units::of(raw.x), y_units = regression::Units::of(raw.y);
  const Sample sample({x_units.inward(raw.x), y_units.inward(raw.y)});
  const std::vector<double> h = Search(sample, watch).bandwidth();
  return x_units.lengths_outward(from_vector(h, {static_cast<std::int64_t>(h.size())}));
}

}  // namespace heed
