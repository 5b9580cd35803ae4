// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/moment_tree.h"

#include "core/parallel.h"

#include <algorithm>
#include <array>

namespace heed::regression {
namespace {

constexpr int kCount = kernels::kTreeMoments;
using Powers = std::array<double, kCount>;

Powers powers_of(double x) {
  Powers powers{1};
  for (std::size_t k = 1; k < kCount; ++k) powers[k] = powers[k - 1] * x;
  return powers;
}

constexpr auto kBinomials = [] {
  std::array<Powers, kCount> rows{};
  for (std::size_t n = 0; n < kCount; ++n) {
    rows[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) rows[n][k] = rows[n - 1][k - 1] + (k < n ? rows[n - 1][k] : 0);
  }
  return rows;
}();

}  // namespace

MomentTree::MomentTree(const LinePoints& points) : points_(points) {
  std::int64_t nodes = (points.size() + kLeaf - 1) / kLeaf;
  first_.push_back(0);
  for (;; nodes = (nodes + 1) / 2) {
    first_.push_back(first_.back() + nodes);
    if (nodes == 1) break;
  }
  moments_.resize(static_cast<std::size_t>(first_.back() * points.channels * kCount));
  for (int level = 0; level < levels(); ++level) {
    const auto at = static_cast<std::size_t>(level);
    parallel_for(first_[at + 1] - first_[at], 1024, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) level == 0 ? sum({0, n}) : join({level, n});
    });
  }
}

std::int64_t MomentTree::end(Node node) const noexcept {
  return std::min(points_.size(), (node.number + 1) * kLeaf << node.level);
}

double MomentTree::centre(Node node) const noexcept {
  const double low = points_.x[static_cast<std::size_t>(begin(node))],
               high = points_.x[static_cast<std::size_t>(end(node) - 1)];
  return low + (high - low) / 2;
}

double MomentTree::radius(Node node) const noexcept {
  return std::max(points_.x[static_cast<std::size_t>(end(node) - 1)] - centre(node),
                  centre(node) - points_.x[static_cast<std::size_t>(begin(node))]);
}

const double* MomentTree::moments(Node node) const noexcept {
  const std::int64_t number = first_[static_cast<std::size_t>(node.level)] + node.number;
  return moments_.data() + number * points_.channels * kCount;
}

void MomentTree::sum(Node leaf) noexcept {
  const double c = centre(leaf), r = radius(leaf);
  double* out = row(leaf);
  for (std::int64_t i = begin(leaf); i < end(leaf); ++i) {
    const Powers powers = powers_of(r > 0 ? (points_.x[static_cast<std::size_t>(i)] - c) / r : 0);
    for (int channel = 0; channel < points_.channels; ++channel) {
      for (std::size_t k = 0; k < kCount; ++k)
        out[static_cast<std::size_t>(channel) * kCount + k] += points_.value(channel, i) * powers[k];
    }
  }
}

/// (x - c) / r = t + q (x - c') / r' with t = (c' - c) / r and q = r' / r: exact, by the binomial formula.
void MomentTree::join(Node node) noexcept {
  const double c = centre(node), r = radius(node);
  double* out = row(node);
  for (int which = 0; which < 2; ++which) {
    const Node part = child(node, which);
    if (!exists(part)) continue;
    const Powers shift = powers_of(r > 0 ? (centre(part) - c) / r : 0),
                 scale = powers_of(r > 0 ? radius(part) / r : 0);
    const double* in = moments(part);
    for (int channel = 0; channel < points_.channels; ++channel) {
      for (std::size_t k = 0; k < kCount; ++k) {
        double total = 0;
        for (std::size_t j = 0; j <= k; ++j)
          total +=
              kBinomials[k][j] * shift[k - j] * scale[j] * in[static_cast<std::size_t>(channel) * kCount + j];
        out[static_cast<std::size_t>(channel) * kCount + k] += total;
      }
    }
  }
}

}  // namespace heed::regression
