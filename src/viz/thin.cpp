// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/thin.h"

#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace heed::viz {
namespace {

// Of a whole figure, so that its SVG stays below 2 MB: a place of a line takes some 15 bytes of it, one of a torn band
// some 75, a mark some 110.
constexpr std::size_t kMostPlaces = 24000;
constexpr std::size_t kMostMarks = 8000;
/// As many as one stretch keeps: first and last, the outermost of x, y and upper.
constexpr std::size_t kKept = 8;

using Places = std::vector<std::size_t>;

/// The least and the largest number at the places a walk has seen.
class Outermost {
 public:
  void see(double value, std::size_t place) {
    if (!seen_ || value < low_) low_ = value, low_place_ = place;
    if (!seen_ || value > high_) high_ = value, high_place_ = place;
    seen_ = true;
  }
  void add_to(Places& places) const {
    if (seen_) places.insert(places.end(), {low_place_, high_place_});
  }

 private:
  double low_ = 0, high_ = 0;
  std::size_t low_place_ = 0, high_place_ = 0;
  bool seen_ = false;
};

/// The outermost of each row of numbers that a curve has.
class Extremes {
 public:
  void see(const Curve& curve, std::size_t place) {
    x_.see(curve.x[place], place);
    y_.see(curve.y[place], place);
    if (!curve.upper.empty()) upper_.see(curve.upper[place], place);
  }
  void add_to(Places& places) const {
    for (const Outermost* o : {&x_, &y_, &upper_}) o->add_to(places);
  }

 private:
  Outermost x_, y_, upper_;
};

void sort_out(Places& places) {
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// What a line through every place shows, in as many stretches of as many places each.
Places outline(const Curve& curve, std::size_t stretches) {
  const std::size_t n = curve.x.size();
  Places kept;
  for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
    poll_interrupt();
    Extremes extremes;
    Outermost ends;
    for (std::size_t i = stretch * n / stretches; i < (stretch + 1) * n / stretches; ++i) {
      if (!is_shown(curve, i)) continue;
      extremes.see(curve, i);
      ends.see(static_cast<double>(i), i);
    }
    extremes.add_to(kept);
    ends.add_to(kept);
  }
  sort_out(kept);
  return kept;
}

/// One place for each spot of a grid of so many spots, the first that lies there, and the outermost of all.
Places scattering(const Curve& curve, const Interval& x, const Interval& y, std::size_t spots) {
  // Pictures are wider than high.
  const auto across = static_cast<std::size_t>(std::sqrt(static_cast<double>(spots) * 1.5));
  const std::size_t down = spots / across;
  const auto spot = [](double value, const Interval& range, std::size_t count) {
    const double share = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
    return std::min(static_cast<std::size_t>(share * static_cast<double>(count)), count - 1);
  };
  std::vector<bool> taken(across * down);
  Places kept;
  Extremes extremes;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!is_shown(curve, i)) continue;
    extremes.see(curve, i);
    const std::size_t place = spot(curve.y[i], y, down) * across + spot(curve.x[i], x, across);
    if (taken[place]) continue;
    taken[place] = true;
    kept.push_back(i);
  }
  extremes.add_to(kept);
  sort_out(kept);
  return kept;
}

/// The curve at these places; where one between two of them is missing, a gap stays.
Curve at(const Curve& curve, const Places& places) {
  Curve light{.name = curve.name, .x = {}, .y = {}, .upper = {}, .style = curve.style};
  const auto take = [&](std::size_t i) {
    light.x.push_back(curve.x[i]);
    light.y.push_back(curve.y[i]);
    if (!curve.upper.empty()) light.upper.push_back(curve.upper[i]);
  };
  std::size_t next = places.empty() ? 0 : places.front();
  for (const std::size_t place : places) {
    while (next < place && is_shown(curve, next)) ++next;
    if (next < place) take(next);
    take(place);
    next = place + 1;
  }
  return light;
}

}  // namespace

void make_light(Curves& curves) {
  const std::size_t count = curves.all.size();
  const std::size_t places = kMostPlaces / count, marks = std::max<std::size_t>(kMostMarks / count, 2);
  for (Curve& curve : curves.all) {
    const bool is_cloud = curve.upper.empty() && curve.style == Series::Style::kPoints;
    if (is_cloud && curve.x.size() > marks) {
      curve = at(curve, scattering(curve, curves.x, curves.y, marks));
    } else if (!is_cloud && curve.x.size() > places) {
      curve = at(curve, outline(curve, std::max<std::size_t>(places / kKept, 1)));
    }
  }
}

}  // namespace heed::viz
