// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression/line/near_plan.h"

#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace heed::regression {
namespace {

using kernels::kLineMoments;
using kernels::kLineNodes;

/// What may be left out of a sum, as a share of it.
constexpr double kWindowError = 3e-11;
/// Windows as deep as this are foreseen: places within two bandwidths of a point that has a sixteenth of its even share.
constexpr double kNearest = 2, kUneven = 16;
/// Cells of fewer points keep no moments: they are as quickly computed again.
constexpr std::int64_t kFewPoints = 8;
/// Points or places a task takes at most, and how many places by themselves.
constexpr std::int64_t kBlock = 4096, kSinglePlaces = 128;
/// Points for which a team of threads is woken.
constexpr std::int64_t kWorthThreads = 30000;
/// What takes how long, in nanoseconds: a cell of points seen through moments, a pair, a place by itself at least and at most.
constexpr double kCellTime = 14, kPairTime = 0.9, kLeastTime = 80, kMostTime = 1500;
/// Left out of a sum, a point may have this much of it: the rest loses a factor of four of its precision.
constexpr double kMostOwn = 0.75;

constexpr auto kInverseFactorials = [] {
  std::array<double, kLineMoments> values{1};
  for (std::size_t k = 1; k < values.size(); ++k) values[k] = values[k - 1] / static_cast<double>(k);
  return values;
}();

/// Chebyshev nodes of the first kind on [-1, 1], and the matrix from values there to coefficients.
struct Nodes {
  std::array<double, kLineNodes> place;
  std::array<double, kLineNodes * kLineNodes> cosines;
};
const Nodes& nodes() {
  static const Nodes made = [] {
    Nodes n{};
    for (std::size_t j = 0; j < kLineNodes; ++j) {
      const double angle = std::numbers::pi * (static_cast<double>(j) + 0.5) / kLineNodes;
      n.place[j] = std::cos(angle);
      for (std::size_t k = 0; k < kLineNodes; ++k)
        n.cosines[j * kLineNodes + k] =
            (k == 0 ? 1.0 : 2.0) / kLineNodes * std::cos(static_cast<double>(k) * angle);
    }
    return n;
  }();
  return made;
}

}  // namespace

NearPlan::NearPlan(const kernels::LineKernels& kernels, const LinePoints& points,
                   std::span<const double> places, double h)
    : kernels_(kernels), points_(points), places_(places), h_(h) {
  const auto n = static_cast<double>(points.size());
  reach_ = std::sqrt(kNearest * kNearest + 2 * std::log(kUneven * n / kWindowError));
  width_ = cell_width(h, reach_);
  // A grid so fine that its inverse overflows has no cells.
  if (std::isfinite(1 / width_) && width_ > 0) {
    describe_sources();
    place_cells_ = cells_of(places, width_);
  }
  plan_tasks();
  compute_moments();
}

void NearPlan::describe_sources() {
  const std::vector<Cell> cells = cells_of(points_.x, width_);
  sources_.reserve(cells.size());
  for (const Cell& cell : cells) {
    constexpr float kNone = std::numeric_limits<float>::infinity();
    Source source{cell, kNone, kNone};
    for (std::int64_t i = cell.begin; i < cell.end; ++i) {
      const float depth = points_.depth[static_cast<std::size_t>(i)];
      source.second_depth = std::min(source.second_depth, std::max(source.depth, depth));
      source.depth = std::min(source.depth, depth);
    }
    sources_.push_back(source);
  }
  needed_.resize(sources_.size());
}

/// False if what is near is too little, or too far, to bound what may be left out beyond the reach of the grid.
bool NearPlan::look(const Cell& places, Window& window) const {
  const double step = width_ / h_;
  const auto number = [](const Source& source) { return source.cell.number; };
  const auto after = std::ranges::lower_bound(sources_, places.number, {}, number);
  double depth = std::numeric_limits<double>::infinity();
  const auto ask = [&](const Source& source) {
    const double farthest = static_cast<double>(std::abs(source.cell.number - places.number) + 1) * step;
    depth = std::min(depth, farthest * farthest / 2 + static_cast<double>(source.depth));
    return farthest < kNearest;
  };
  for (auto it = after; it != sources_.end() && ask(*it); ++it) {
  }
  for (auto it = after; it != sources_.begin() && ask(*std::prev(it)); --it) {
  }
  const double reach = std::sqrt(2 * (depth - std::log(kWindowError)));
  if (!(reach <= reach_)) return false;
  const auto offset = static_cast<std::int64_t>(reach / step) + 1;
  window.first = std::ranges::lower_bound(sources_, places.number - offset, {}, number) - sources_.begin();
  window.last = std::ranges::upper_bound(sources_, places.number + offset, {}, number) - sources_.begin();
  return true;
}

void NearPlan::plan_tasks() {
  const auto m = static_cast<std::int64_t>(places_.size());
  const auto single = [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const bool grow = !tasks_.empty() && tasks_.back().cell == kSingle && tasks_.back().end == begin &&
                        tasks_.back().end - tasks_.back().begin < kSinglePlaces;
      if (!grow) tasks_.push_back({begin, begin, kSingle});
      Task& task = tasks_.back();
      const std::int64_t stop = std::min(end, task.begin + kSinglePlaces);
      task.end = begin = stop;
    }
  };
  windows_.resize(place_cells_.size());
  std::int64_t done = 0;
  for (std::size_t c = 0; c < place_cells_.size(); ++c) {
    const Cell& cell = place_cells_[c];
    Window& window = windows_[c];
    single(done, cell.begin);
    done = cell.end;
    if (!look(cell, window)) {
      single(cell.begin, cell.end);
      continue;
    }
    const auto first = static_cast<std::size_t>(window.first), last = static_cast<std::size_t>(window.last);
    const auto pairs = static_cast<double>(sources_[last - 1].cell.end - sources_[first].cell.begin),
               seen = static_cast<double>(last - first), count = static_cast<double>(cell.end - cell.begin);
    const double one_by_one = count * (kLeastTime + std::min(kMostTime, kPairTime * pairs));
    if (one_by_one <= seen * kCellTime * points_.channels) {
      single(cell.begin, cell.end);
      continue;
    }
    for (std::size_t s = first; s < last; ++s) needed_[s] = true;
    for (std::int64_t begin = cell.begin; begin < cell.end; begin += kBlock)
      tasks_.push_back({begin, std::min(begin + kBlock, cell.end), static_cast<std::int32_t>(c)});
  }
  single(done, m);
}

void NearPlan::moments_of(const Cell& cell, std::int64_t begin, std::int64_t end,
                          double* out) const noexcept {
  std::fill_n(out, points_.channels * kLineMoments, 0.0);
  kernels_.moments({points_.part(begin, end), centre(cell), 1 / h_, out});
  for (int c = 0; c < points_.channels; ++c) {
    for (std::size_t k = 0; k < kLineMoments; ++k)
      out[static_cast<std::size_t>(c) * kLineMoments + k] *= kInverseFactorials[k];
  }
}

/// Block by block, so that one large cell is many tasks; blocks are added in their order.
void NearPlan::compute_moments() {
  struct Block {
    std::size_t source;
    std::int64_t begin, end;
  };
  std::vector<Block> blocks;
  const std::int64_t row = points_.channels * kLineMoments;
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const Cell& cell = sources_[s].cell;
    if (!needed_[s] || cell.end - cell.begin < kFewPoints) continue;
    sources_[s].moments = static_cast<std::int64_t>(blocks.size()) * row;
    for (std::int64_t begin = cell.begin; begin < cell.end; begin += kBlock)
      blocks.push_back({s, begin, std::min(begin + kBlock, cell.end)});
    terms_ += cell.end - cell.begin;
  }
  moments_.resize(blocks.size() * static_cast<std::size_t>(row));
  // Few points are not worth waking threads for.
  const std::int64_t grain = terms_ < kWorthThreads ? static_cast<std::int64_t>(blocks.size()) : 8;
  parallel_for(static_cast<std::int64_t>(blocks.size()), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      const Block& block = blocks[static_cast<std::size_t>(b)];
      moments_of(sources_[block.source].cell, block.begin, block.end,
                 &moments_[static_cast<std::size_t>(b * row)]);
    }
  });
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    if (blocks[b].source != blocks[b - 1].source) continue;
    double* sum = &moments_[static_cast<std::size_t>(sources_[blocks[b].source].moments)];
    const double* part = &moments_[b * static_cast<std::size_t>(row)];
    for (std::int64_t k = 0; k < row; ++k) sum[k] += part[k];
  }
}

std::int64_t NearPlan::run(std::int64_t task, const LineWork& work) const {
  const Task& t = tasks_[static_cast<std::size_t>(task)];
  return t.cell == kSingle ? run_single(t, work) : run_cell(t, work);
}

std::int64_t NearPlan::run_single(const Task& task, const LineWork& work) const {
  SinglePlace single(kernels_, points_, work.tree, h_);
  std::int64_t terms = 0;
  std::vector<double> sums(static_cast<std::size_t>(points_.channels));
  const auto m = static_cast<std::int64_t>(places_.size());
  std::int64_t right =
      std::ranges::lower_bound(points_.x, places_[static_cast<std::size_t>(task.begin)]) - points_.x.begin();
  for (std::int64_t i = task.begin; i < task.end; ++i) {
    const double q = places_[static_cast<std::size_t>(i)];
    Place place{q, i - 1, i + 1};
    if (work.counted == Counted::kAll) {
      while (right < points_.size() && points_.x[static_cast<std::size_t>(right)] < q) ++right;
      place = {q, right - 1, right};
    }
    single.sum(place, sums.data(), terms);
    for (int c = 0; c < points_.channels; ++c) work.sums[c * m + i] = sums[static_cast<std::size_t>(c)];
  }
  return terms;
}

/// Takes a point out of the sums at its own place, where its kernel is `weight`; false if too few digits would be left.
bool NearPlan::leave_out(std::int64_t place, const Source& own, double weight,
                         const LineWork& work) const noexcept {
  const auto m = static_cast<std::int64_t>(places_.size());
  const float mine = points_.depth[static_cast<std::size_t>(place)];
  const float others = mine <= own.depth ? own.second_depth : own.depth;
  // Another point of the cell is at most its width away.
  const double step = width_ / h_;
  const double known = std::exp(-static_cast<double>(others) - step * step / 2) * kMostOwn / (1 - kMostOwn);
  for (int c = 0; c < points_.channels; ++c) {
    const double value = points_.value(c, place), sum = work.sums[c * m + place];
    const bool enough = c == 0 ? value * weight <= kMostOwn * sum
                               : std::abs(value) <= known * points_.totals[static_cast<std::size_t>(c)];
    if (!enough) return false;
  }
  for (int c = 0; c < points_.channels; ++c) work.sums[c * m + place] -= points_.value(c, place) * weight;
  return true;
}

std::int64_t NearPlan::run_cell(const Task& task, const LineWork& work) const {
  const auto index = static_cast<std::size_t>(task.cell);
  const Cell& cell = place_cells_[index];
  const Window& window = windows_[index];
  const auto m = static_cast<std::int64_t>(places_.size());
  const std::int64_t row = points_.channels * kLineMoments;
  std::int64_t terms = 0;

  std::vector<kernels::LineCell> cells;
  std::vector<double> few;
  few.reserve(static_cast<std::size_t>((window.last - window.first) * row));
  for (std::int64_t s = window.first; s < window.last; ++s) {
    const Source& source = sources_[static_cast<std::size_t>(s)];
    const double away = static_cast<double>(cell.number - source.cell.number) * (width_ / h_);
    if (source.moments != kNoMoments) {
      cells.push_back({&moments_[static_cast<std::size_t>(source.moments)], away});
      continue;
    }
    const std::size_t at = few.size();
    few.resize(at + static_cast<std::size_t>(row));
    moments_of(source.cell, source.cell.begin, source.cell.end, &few[at]);
    terms += source.cell.end - source.cell.begin;
    cells.push_back({&few[at], away});
  }
  terms += static_cast<std::int64_t>(cells.size()) * kLineNodes;

  const double r = width_ / (2 * h_);
  std::array<double, kLineNodes> s;
  for (std::size_t j = 0; j < s.size(); ++j) s[j] = r * nodes().place[j];
  std::vector<double> coefficients(static_cast<std::size_t>(points_.channels * kLineNodes));
  kernels_.nodes({cells.data(), static_cast<std::int64_t>(cells.size()), points_.channels, s.data(),
                  nodes().cosines.data(), coefficients.data()});

  SinglePlace single(kernels_, points_, work.tree, h_);
  std::vector<double> sums(static_cast<std::size_t>(points_.channels));
  const Source* own = nullptr;
  if (work.counted == Counted::kOthers) {
    own =
        &*std::ranges::lower_bound(sources_, cell.number, {}, [](const Source& x) { return x.cell.number; });
  }
  constexpr std::int64_t kRun = 256;
  std::array<double, kRun> t;
  for (std::int64_t begin = task.begin; begin < task.end; begin += kRun) {
    const std::int64_t count = std::min(kRun, task.end - begin);
    for (std::int64_t i = 0; i < count; ++i)
      t[static_cast<std::size_t>(i)] =
          (places_[static_cast<std::size_t>(begin + i)] - centre(cell)) / (width_ / 2);
    kernels_.chebyshev({coefficients.data(), points_.channels, t.data(), count, m, work.sums + begin});
    terms += count;
    if (work.counted == Counted::kAll && work.scale == Scale::kAny) continue;
    std::int64_t right = 0;
    if (work.counted == Counted::kAll) {
      right =
          std::ranges::lower_bound(points_.x, places_[static_cast<std::size_t>(begin)]) - points_.x.begin();
    }
    for (std::int64_t i = begin; i < begin + count; ++i) {
      const double q = places_[static_cast<std::size_t>(i)], u = r * t[static_cast<std::size_t>(i - begin)];
      Place place{q, i - 1, i + 1};
      if (work.counted == Counted::kOthers && !leave_out(i, *own, std::exp(u * u / 2), work)) {
        single.sum(place, sums.data(), terms);
        for (int c = 0; c < points_.channels; ++c) work.sums[c * m + i] = sums[static_cast<std::size_t>(c)];
        continue;
      }
      if (work.scale == Scale::kAny) continue;
      if (work.counted == Counted::kAll) {
        while (right < points_.size() && points_.x[static_cast<std::size_t>(right)] < q) ++right;
        place = {q, right - 1, right};
      }
      const double d = single.distance(place), factor = std::exp((d * d - u * u) / 2);
      for (int c = 0; c < points_.channels; ++c) work.sums[c * m + i] *= factor;
    }
  }
  return terms;
}

}  // namespace heed::regression
