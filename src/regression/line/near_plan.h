// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How sums at many places are come by: which cells of places look at cells of points through moments, and which places are
// summed one by one.
#pragma once

#include "regression/line/cells.h"
#include "regression/line/sums.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heed::regression {

/// Where a task reads and writes.
struct LineWork {
  const SinglePlace::Tree& tree;
  Counted counted;
  Scale scale;
  double* sums;  ///< (channels, places)
};

class NearPlan {
 public:
  NearPlan(const kernels::LineKernels& kernels, const LinePoints& points, std::span<const double> places,
           double h);

  std::int64_t tasks() const noexcept { return static_cast<std::int64_t>(tasks_.size()); }
  /// Terms evaluated by the constructor.
  std::int64_t terms() const noexcept { return terms_; }
  /// Computes the sums of one task's places; tells how many terms that took.
  std::int64_t run(std::int64_t task, const LineWork& work) const;

 private:
  static constexpr std::int32_t kSingle = -1;

  /// Places [begin, end) of one cell, or of any where each is summed by itself.
  struct Task {
    std::int64_t begin, end;
    std::int32_t cell;  ///< of places_cells_, or kSingle
  };
  /// What a cell of points offers.
  struct Source {
    Cell cell;
    float depth, second_depth;          ///< the least of its points, and the next
    std::int64_t moments = kNoMoments;  ///< where they stand
  };
  static constexpr std::int64_t kNoMoments = -1;
  /// The cells of points a cell of places looks at.
  struct Window {
    std::int64_t first, last;
  };

  void describe_sources();
  bool look(const Cell& places, Window& window) const;
  void plan_tasks();
  void compute_moments();
  void moments_of(const Cell& cell, std::int64_t begin, std::int64_t end, double* out) const noexcept;
  double centre(const Cell& cell) const noexcept { return (static_cast<double>(cell.number) + 0.5) * width_; }
  std::int64_t run_cell(const Task& task, const LineWork& work) const;
  std::int64_t run_single(const Task& task, const LineWork& work) const;
  bool leave_out(std::int64_t place, const Source& own, double weight, const LineWork& work) const noexcept;

  const kernels::LineKernels& kernels_;
  const LinePoints& points_;
  std::span<const double> places_;
  double h_, reach_, width_;
  std::vector<Source> sources_;
  std::vector<Cell> place_cells_;
  std::vector<Window> windows_;  ///< of place_cells_
  std::vector<Task> tasks_;
  std::vector<bool> needed_;  ///< of sources_
  std::vector<double> moments_;
  std::int64_t terms_ = 0;
};

}  // namespace heed::regression
