// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sums at one place: over the pairs within its window, or over the tree where those are many. Nothing is said of where points
// and place lie: what is exponentiated are differences between points, so no distance is too far.
#pragma once

#include "kernels/line.h"
#include "regression/line/moment_tree.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace heed::regression {

/// A place between the points: those up to `left` are not above it, those from `right` on not below. Between them may lie one
/// that is left out.
struct Place {
  double q;
  std::int64_t left, right;
};

/// What may be left out of a sum at a single place, as a share of it.
inline constexpr double kSingleWindowError = 1e-16;

class SinglePlace {
 public:
  /// tree: of the points, made when it is first asked for.
  class Tree {
   public:
    explicit Tree(const LinePoints& points) : points_(points) {}
    const MomentTree& get() const {
      std::call_once(once_, [&] { tree_ = std::make_unique<MomentTree>(points_); });
      return *tree_;
    }

   private:
    const LinePoints& points_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<MomentTree> tree_;
  };

  SinglePlace(const kernels::LineKernels& kernels, const LinePoints& points, const Tree& tree, double h);

  /// In bandwidths, to the nearest point.
  double distance(const Place& place) const noexcept;

  /// sums[c] = sum_i value_ci K(u_i) / K(distance). Adds to `terms` what it took.
  void sum(const Place& place, double* sums, std::int64_t& terms);

 private:
  struct View;
  View view(const Place& place) const noexcept;
  double excess(const View& view, double x) const noexcept;
  double depth(const View& view) const noexcept;
  void pairs(const View& view, std::int64_t begin, std::int64_t end, double* sums, std::int64_t& terms) const;
  void visit(const View& view, double reach, MomentTree::Node node, double* sums, std::int64_t& terms);
  void flush(double* sums, std::int64_t& terms);

  const kernels::LineKernels& kernels_;
  const LinePoints& points_;
  const Tree& tree_;
  double inverse_;
  std::vector<kernels::TreeTerm> pending_;
};

}  // namespace heed::regression
