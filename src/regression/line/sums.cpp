// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/sums.h"

#include "core/parallel.h"
#include "kernels/table.h"
#include "regression/line/near_plan.h"

namespace heed::regression {
namespace {

/// Fewer points and places are not worth waking threads for.
constexpr std::size_t kFewPlaces = 30000;

}  // namespace

LineSums::LineSums(LinePoints points) : points_(std::move(points)), tree_(points_) {}

std::vector<double> LineSums::at(std::span<const double> places, double h, Counted counted,
                                 Scale scale) const {
  std::vector<double> sums(places.size() * static_cast<std::size_t>(points_.channels));
  const NearPlan plan(kernels::line_kernels(), points_, places, h);
  terms_ += plan.terms();
  const LineWork work{tree_, counted, scale, sums.data()};
  Runs runs{.least = 8, .most = 8};
  if (points_.x.size() + places.size() < kFewPlaces) runs.workers = 1;
  parallel_tasks(plan.tasks(), runs,
                 [&](std::int64_t task, std::int64_t) { terms_ += plan.run(task, work); });
  return sums;
}

}  // namespace heed::regression
