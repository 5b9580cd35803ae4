// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Nadaraya-Watson regression as statisticians use it:  f(x) = sum_i K((x - x_i) / h) y_i / sum_i K((x - x_i) / h)  with
// K(u) = exp(-|u|^2 / 2). It is attend() with the data as keys and values; here are the ways to choose h and to judge
// it. Memory is linear in the number of points. With one feature time is near-linear and f off by at most 1e-9 of the
// weighted mean of |y - median|; with several, time is quadratic. docs/regression.md says more.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heed {

/// A local polynomial at m places: (m, M) each.
struct LocalFit {
  Tensor value;
  Tensor slope;             ///< its derivative
  Tensor standard_error;    ///< of value; the noise comes from the differences of neighbouring points
  Tensor effective_points;  ///< (m,): 1 / sum of the squared kernel weights
};

struct BandOptions {
  enum class Of { kCurve, kNewObservation };
  double level = 0.95;
  Of of = Of::kCurve;
};
struct Band {
  Tensor lower, upper;  ///< (m, M)
};

/// Points x (n, D) with y (n, M), and a bandwidth for each of the D features. (n,) counts as (n, 1). x, y, places and what
/// comes of them are of one type, f32 or f64; bandwidths are f64, and so is all arithmetic. NaN, inf and no points at all
/// are Errors.
class HEED_API KernelRegression {
 public:
  /// The bandwidth is positive, (D,) or one number for all features; inf makes a feature count for nothing.
  KernelRegression(const Tensor& x, const Tensor& y, const Tensor& bandwidth);
  KernelRegression(const Tensor& x, const Tensor& y, double bandwidth);

  const Tensor& x() const noexcept { return x_; }
  const Tensor& y() const noexcept { return y_; }
  const Tensor& bandwidth() const noexcept { return bandwidth_; }  ///< (D,)

  /// f at the rows of `at` (m, D): (m, M). However far from all points, it is the limit: the mean of the nearest. A row
  /// that is not finite gives NaN.
  Tensor predict(const Tensor& at) const;

  /// f at every x_i from all points but i: (n, M). NaN if there is just one point.
  Tensor leave_one_out() const;

  /// sqrt( sum_i p_i^2 r_i^2 ) at the rows of `at`: (m, M), where p are the weights of the points in f and the residuals
  /// r (n, M) are y - leave_one_out(). How much f would scatter if the same x were observed again; its bias is not in it.
  Tensor standard_error(const Tensor& at, const Tensor& residuals) const;

  /// A polynomial fitted by least squares under the kernel around each row of `at` (m, 1), for one feature: degree 0 is f
  /// itself, 1 to 3 follow the data to the ends of x. Where fewer points count than its degree needs, the degree is lowered.
  /// Time is m times the points in reach.
  LocalFit local_fit(const Tensor& at, int degree) const;

  /// Between which numbers f lies, or a new y, at the rows of `at` (m, 1), each by itself with the probability `level`. The bias
  /// of f is corrected: the band stands around the local quadratic of the same bandwidth, with its standard error (Calonico,
  /// Cattaneo and Farrell 2018) and Student's quantiles. The noise comes from the differences of neighbouring points within twice
  /// the bandwidth. One feature.
  Band band(const Tensor& at, const BandOptions& options = {}) const;

  /// The weight of each y in f at its own x: (n,) of f64.
  Tensor leverage() const;
  /// Their sum: how many numbers y the curve could follow. 1 for a plain mean, n where it meets every point.
  double degrees_of_freedom() const;

  /// What should be known before the curve is believed, a line with a remedy each: a bandwidth at an end of the range that
  /// cross_validated_bandwidth() searches, or more degrees of freedom than half the points. Names are those of the D
  /// features.
  std::vector<std::string> warnings(const std::vector<std::string>& names = {}) const;

 private:
  struct Inner;
  Tensor places(const Tensor& at) const;

  Tensor x_, y_, bandwidth_;
  std::shared_ptr<const Inner> inner_;
};

/// How well predictions (n, M) meet y (n, M), per output.
struct GoodnessOfFit {
  Tensor mean_squared_error;  ///< (M,)
  Tensor r_squared;  ///< (M,): 1 - (sum of squared errors) / (that of the mean); NaN where y is constant
};
HEED_API GoodnessOfFit goodness_of_fit(const Tensor& y, const Tensor& predictions);

/// Where a choice of bandwidth stands, told after each look at all pairs of points.
struct BandwidthProgress {
  std::int64_t done = 0;     ///< looks so far
  std::int64_t at_most = 0;  ///< looks it can take
  double error = 0;          ///< the least leave-one-out error so far, a share of the variance of y
};
using BandwidthWatch = std::function<void(const BandwidthProgress&)>;

/// The bandwidths (D,) with the least leave-one-out squared error, each output's divided by its variance. One feature: a
/// grid in log h, from an eighth of the median gap between neighbours to four times the range, refined by golden section.
/// Several: the same for each in turn until nothing gains. A feature that does not help gets inf, and so does one that is
/// constant. An error that is not a finite number is an Error. Needs 2 points.
HEED_API Tensor cross_validated_bandwidth(const Tensor& x, const Tensor& y, const BandwidthWatch& watch = {});

struct LearningOptions {
  int epochs = 50;
  double lr = 0.5;  ///< halved whenever a step would raise the loss, which is then not taken
  BandwidthWatch watch = {};
};
struct LearnedBandwidth {
  Tensor bandwidth;            ///< (D,)
  std::vector<double> losses;  ///< at the start, and after each epoch
};
/// The bandwidths by gradient descent as in the notes: w = 1/h is learned from the loss sum_i |f_i - y_i|^2 / 2, where f_i
/// leaves point i out. x and y are divided by their standard deviations first, and w starts at n^(1/(D+4)). A constant
/// feature gets inf. Needs 2 points.
HEED_API LearnedBandwidth learned_bandwidth(const Tensor& x, const Tensor& y,
                                            const LearningOptions& options = {});

}  // namespace heed
