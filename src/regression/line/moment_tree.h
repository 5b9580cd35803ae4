// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Moments of runs of points, of twice the length at every level: far from a place, or where points lie close, a whole run is one
// term. They do not depend on the bandwidth.
#pragma once

#include "regression/line/points.h"

#include <cstdint>
#include <vector>

namespace heed::regression {

class MomentTree {
 public:
  static constexpr std::int64_t kLeaf = 32;

  explicit MomentTree(const LinePoints& points);

  /// A run of points; level 0 are the leaves.
  struct Node {
    int level;
    std::int64_t number;
  };
  Node root() const noexcept { return {levels() - 1, 0}; }
  int levels() const noexcept { return static_cast<int>(first_.size()) - 1; }
  std::int64_t begin(Node node) const noexcept { return node.number * kLeaf << node.level; }
  std::int64_t end(Node node) const noexcept;
  bool exists(Node node) const noexcept { return begin(node) < points_.size(); }
  static Node child(Node node, int which) noexcept { return {node.level - 1, 2 * node.number + which}; }

  double centre(Node node) const noexcept;
  /// Half the length.
  double radius(Node node) const noexcept;
  /// (channels, kTreeMoments): sum_i value_i ((x_i - centre) / radius)^k
  const double* moments(Node node) const noexcept;

 private:
  double* row(Node node) noexcept { return const_cast<double*>(moments(node)); }
  void sum(Node leaf) noexcept;
  void join(Node node) noexcept;

  const LinePoints& points_;
  std::vector<std::int64_t> first_;  ///< node of each level
  std::vector<double> moments_;
};

}  // namespace heed::regression
