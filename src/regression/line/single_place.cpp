// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/single_place.h"

#include <algorithm>
#include <cmath>

namespace heed::regression {
namespace {

/// In bandwidths: farther is all the same, and its square does not overflow.
constexpr double kFarthest = 1e150;
/// More pairs take longer than a walk through the tree.
constexpr std::int64_t kMostPairs = 1024;
/// A run within radius * (distance + 4) of its centre has a relative error below 6e-11: see docs/lab/regression.md.
constexpr double kSpread = 1.67, kAtLeast = 4;
/// Points on each side that are asked how much the sums come to at least.
constexpr std::int64_t kAsked = 16;
/// Weights below exp(-200) of the nearest do not count, whatever their values.
constexpr double kDeepest = 200;

}  // namespace

/// A place with its distances. The excess of a point is how much farther it is than the nearest.
struct SinglePlace::View {
  Place place;
  double distance;
  double left, right;  ///< excess of the points place.left and place.right; infinite where there is none
};

SinglePlace::SinglePlace(const kernels::LineKernels& kernels, const LinePoints& points, const Tree& tree,
                         double h)
    : kernels_(kernels), points_(points), tree_(tree), inverse_(1 / h) {
  pending_.reserve(64);
}

SinglePlace::View SinglePlace::view(const Place& place) const noexcept {
  const auto& x = points_.x;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double left =
      place.left >= 0 ? (place.q - x[static_cast<std::size_t>(place.left)]) * inverse_ : kNone;
  const double right =
      place.right < points_.size() ? (x[static_cast<std::size_t>(place.right)] - place.q) * inverse_ : kNone;
  const double d = std::min({left, right, kFarthest});
  // Both beyond the farthest: the nearer has all the weight, or half of it.
  if (left >= kFarthest && right >= kFarthest)
    return {place, d, left <= right ? 0 : kNone, right <= left ? 0 : kNone};
  return {place, d, left - d, right - d};
}

double SinglePlace::distance(const Place& place) const noexcept { return view(place).distance; }

double SinglePlace::excess(const View& view, double x) const noexcept {
  const double e = x >= view.place.q && view.right < HUGE_VAL
                       ? view.right + (x - points_.x[static_cast<std::size_t>(view.place.right)]) * inverse_
                       : view.left + (points_.x[static_cast<std::size_t>(view.place.left)] - x) * inverse_;
  return std::min(e, kFarthest);
}

/// -log of the relative weight beyond which all other points together do not count: some point near the place bounds every
/// channel's sum from below.
double SinglePlace::depth(const View& view) const noexcept {
  double least = kDeepest;
  const auto ask = [&](std::int64_t i, double nearest, std::int64_t from) {
    const double e = std::min(kFarthest, nearest + std::abs(points_.x[static_cast<std::size_t>(i)] -
                                                            points_.x[static_cast<std::size_t>(from)]) *
                                                       inverse_);
    const double exponent = e * (2 * view.distance + e) / 2;
    if (exponent < least)
      least = std::min(least, exponent + static_cast<double>(points_.depth[static_cast<std::size_t>(i)]));
    return exponent < least;
  };
  for (std::int64_t i = view.place.left, n = 0; i >= 0 && n < kAsked; --i, ++n)
    if (!ask(i, view.left, view.place.left)) break;
  for (std::int64_t i = view.place.right, n = 0; i < points_.size() && n < kAsked; ++i, ++n)
    if (!ask(i, view.right, view.place.right)) break;
  return std::min(kDeepest, least - std::log(kSingleWindowError));
}

void SinglePlace::pairs(const View& view, std::int64_t begin, std::int64_t end, double* sums,
                        std::int64_t& terms) const {
  const std::int64_t left = std::min(end, view.place.left + 1), right = std::max(begin, view.place.right);
  if (begin < left) {
    kernels_.pairs({points_.part(begin, left), points_.x[static_cast<std::size_t>(view.place.left)],
                    view.left, view.distance, inverse_, sums});
    terms += left - begin;
  }
  if (right < end) {
    kernels_.pairs({points_.part(right, end), points_.x[static_cast<std::size_t>(view.place.right)],
                    view.right, view.distance, inverse_, sums});
    terms += end - right;
  }
}

void SinglePlace::sum(const Place& place, double* sums, std::int64_t& terms) {
  const View view = this->view(place);
  std::fill_n(sums, points_.channels, 0.0);
  const double depth = this->depth(view);
  // e (2 d + e) / 2 = depth
  const double reach = 2 * depth / (view.distance + std::sqrt(view.distance * view.distance + 2 * depth));
  // Steps that double from the place: what is near costs little.
  const auto boundary = [&](std::int64_t from, std::int64_t step, double nearest) {
    const auto beyond = [&](std::int64_t i) {
      const double e = nearest + std::abs(points_.x[static_cast<std::size_t>(i)] -
                                          points_.x[static_cast<std::size_t>(from)]) *
                                     inverse_;
      return !(e <= reach);
    };
    std::int64_t inside = -1, jump = 1;
    const std::int64_t last = step > 0 ? points_.size() - 1 - from : from;
    if (last < 0 || beyond(from)) return std::int64_t{0};
    inside = 0;
    while (inside + jump <= last && !beyond(from + step * (inside + jump))) {
      inside += jump;
      jump *= 2;
    }
    std::int64_t outside = std::min(last + 1, inside + jump);
    while (outside - inside > 1) {
      const std::int64_t middle = inside + (outside - inside) / 2;
      (beyond(from + step * middle) ? outside : inside) = middle;
    }
    return inside + 1;
  };
  const std::int64_t left = boundary(place.left, -1, view.left), right = boundary(place.right, 1, view.right);
  if (left + right <= kMostPairs) {
    pairs(view, place.left + 1 - left, place.right + right, sums, terms);
    return;
  }
  visit(view, depth, tree_.get().root(), sums, terms);
  flush(sums, terms);
}

void SinglePlace::visit(const View& view, double depth, MomentTree::Node node, double* sums,
                        std::int64_t& terms) {
  const MomentTree& tree = tree_.get();
  if (!tree.exists(node)) return;
  const std::int64_t begin = tree.begin(node), end = tree.end(node);
  const Place& place = view.place;
  double nearest = 0;
  if (begin >= place.right) nearest = excess(view, points_.x[static_cast<std::size_t>(begin)]);
  if (end - 1 <= place.left) nearest = excess(view, points_.x[static_cast<std::size_t>(end - 1)]);
  if (nearest * (2 * view.distance + nearest) / 2 > depth) return;
  // A run around the place may hold the point that is left out.
  const bool whole = begin >= place.right || end - 1 <= place.left || place.right == place.left + 1;
  const double centre = tree.centre(node), u = (place.q - centre) * inverse_,
               rho = tree.radius(node) * inverse_;
  if (whole && rho * (std::abs(u) + kAtLeast) <= kSpread) {
    const double e = excess(view, centre);
    pending_.push_back({tree.moments(node), u, rho, std::exp(-e * (2 * view.distance + e) / 2)});
    if (pending_.size() == pending_.capacity()) flush(sums, terms);
    return;
  }
  if (node.level == 0) return pairs(view, begin, end, sums, terms);
  visit(view, depth, MomentTree::child(node, 0), sums, terms);
  visit(view, depth, MomentTree::child(node, 1), sums, terms);
}

void SinglePlace::flush(double* sums, std::int64_t& terms) {
  kernels_.tree({pending_.data(), static_cast<std::int64_t>(pending_.size()), points_.channels, sums});
  terms += static_cast<std::int64_t>(pending_.size()) * kernels::kTreeMoments;
  pending_.clear();
}

}  // namespace heed::regression
