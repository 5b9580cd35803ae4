// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sums along a line against plain loops in long double, on data made to break them: everything the promise is worth stands here.
#include "regression/line/cells.h"
#include "regression/line/order.h"
#include "regression/line/sums.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace heed::test {
namespace {

using regression::Counted;
using regression::LinePoints;
using regression::LineSums;
using regression::Scale;
using Numbers = std::vector<double>;

struct Draw {
  std::mt19937_64 bits{7};
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  }
};

struct Data {
  const char* name;
  double h;
  std::function<double(Draw&, std::int64_t)> x, place;
};

const double kLog = std::log(1e6);

/// Where points and places lie.
std::vector<Data> data_sets() {
  const auto uniform = [](Draw& d, std::int64_t) { return d.uniform(); };
  const auto normal = [](Draw& d, std::int64_t) { return d.normal(); };
  const auto spread = [](Draw& d, std::int64_t) { return std::exp(12 * d.normal()); };
  const auto cauchy = [](Draw& d, std::int64_t) { return std::tan(3.1415 * (d.uniform() - 0.5)); };
  const auto clusters = [](Draw& d, std::int64_t) {
    return std::floor(100 * d.uniform()) + 1e-3 * d.normal();
  };
  std::vector<Data> sets;
  for (const double h : {1e-4, 0.01, 0.3, 1e6}) sets.push_back({"uniform", h, uniform, uniform});
  for (const double h : {1e-3, 0.05, 2.0})
    sets.push_back({"normal", h, normal, [](Draw& d, std::int64_t) { return 1.5 * d.normal(); }});
  sets.push_back({"two clusters 100 h apart", 0.01,
                  [](Draw& d, std::int64_t i) { return static_cast<double>(i % 2) + 0.01 * d.normal(); },
                  uniform});
  for (const double h : {0.02, 0.5})
    sets.push_back({"clusters, places in the gaps", h, clusters,
                    [](Draw& d, std::int64_t) { return 100 * d.uniform(); }});
  sets.push_back({"within .01 h, places to 1e6 h", 1,
                  [](Draw& d, std::int64_t) { return 0.01 * d.uniform(); },
                  [](Draw& d, std::int64_t) { return std::exp(kLog * d.uniform()); }});
  sets.push_back({"places to 1e18 h", 1, uniform,
                  [](Draw& d, std::int64_t) { return -std::exp(3 * kLog * d.uniform()); }});
  for (const double h : {1e-6, 0.1, 1e4}) sets.push_back({"exp(12 normal)", h, spread, spread});
  sets.push_back({"Cauchy", 0.1, cauchy, cauchy});
  sets.push_back({"lattice", 0.7, [](Draw& d, std::int64_t) { return std::floor(300 * d.uniform()); },
                  [](Draw& d, std::int64_t) { return std::floor(600 * d.uniform()) / 2; }});
  sets.push_back({"all equal", 0.1, [](Draw&, std::int64_t) { return 0.25; }, uniform});
  sets.push_back(
      {"two values", 0.05, [](Draw&, std::int64_t i) { return static_cast<double>(i % 2); }, uniform});
  sets.push_back({"offset 1e15", 1000,
                  [](Draw& d, std::int64_t) { return 1e15 + std::floor(1e6 * d.uniform()); },
                  [](Draw& d, std::int64_t) { return 1e15 + std::floor(1e6 * d.uniform()) + 0.5; }});
  sets.push_back({"an outlier", 0.02, [](Draw& d, std::int64_t i) { return i == 3 ? 1e18 : d.uniform(); },
                  [](Draw& d, std::int64_t i) { return i == 5 ? 1e17 : d.uniform(); }});
  sets.push_back({"beside the edges of cells", 0.25,
                  [](Draw& d, std::int64_t) {
                    return std::nextafter(std::floor(64 * d.uniform()) / 16, d.uniform() < 0.5 ? 9.0 : -9.0);
                  },
                  [](Draw& d, std::int64_t) {
                    return std::nextafter(std::floor(64 * d.uniform()) / 16, d.uniform() < 0.5 ? 9.0 : -9.0);
                  }});
  sets.push_back({"h below all differences", 1e-200, uniform, uniform});
  const auto tiny = [](Draw& d, std::int64_t) { return 1e-306 * d.uniform(); };
  sets.push_back({"close to the least numbers there are", 3e-308, tiny, tiny});
  return sets;
}

/// What is averaged.
struct Values {
  const char* name;
  std::function<double(Draw&, double, std::int64_t)> y;
};
std::vector<Values> value_sets() {
  return {
      {"a wave with noise",
       [](Draw& d, double x, std::int64_t) { return std::sin(6 * std::fmod(x, 7)) + 0.3 * d.normal(); }},
      {"zeros but for one of 1e6", [](Draw&, double, std::int64_t i) { return i == 100 ? 1e6 : 0.0; }},
      {"from 1e-20 to 1e20", [](Draw& d, double, std::int64_t) { return std::exp(15 * d.normal()); }},
      {"nothing but zeros", [](Draw&, double, std::int64_t) { return 0.0; }},
  };
}

struct Case {
  Numbers x, weights, y, places;
  double h = 1;
};

Case make(const Data& data, const Values& values, std::int64_t n, bool weighted) {
  Draw draw;
  Case c;
  c.h = data.h;
  for (std::int64_t i = 0; i < n; ++i) {
    c.x.push_back(data.x(draw, i));
    c.places.push_back(data.place(draw, i));
  }
  std::ranges::sort(c.x);
  std::ranges::sort(c.places);
  for (std::int64_t i = 0; i < n; ++i) {
    c.weights.push_back(weighted ? std::exp(20 * draw.normal()) : 1);
    c.y.push_back(values.y(draw, c.x[static_cast<std::size_t>(i)], i));
  }
  return c;
}

LinePoints points_of(const Case& c) {
  Numbers values = c.weights;
  for (std::size_t i = 0; i < c.x.size(); ++i) values.push_back(c.weights[i] * c.y[i]);
  return {c.x, values};
}

/// The sums at one place, relative to the kernel of the nearest point, by differences in long double.
struct Plain {
  long double weight = 0, pooled = 0, absolute = 0;

  Plain(const Case& c, double q, std::size_t without) {
    // Of the points below only the last can be nearest, and of those above only the first: from 1e18 away, distances round to
    // the same.
    std::size_t nearest = without == 0 ? 1 : 0;
    for (std::size_t i = nearest + 1; i < c.x.size(); ++i) {
      if (i == without) continue;
      const bool below = c.x[i] <= q;
      if (below || (c.x[nearest] < q &&
                    c.x[i] - static_cast<long double>(q) < q - static_cast<long double>(c.x[nearest])))
        nearest = i;
    }
    const long double from = c.x[nearest], away = from - static_cast<long double>(q);
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      if (i == without) continue;
      const long double step = static_cast<long double>(c.x[i]) - from;
      const long double w = c.weights[i] * std::exp(-(step / c.h) * ((step + 2 * away) / c.h) / 2);
      weight += w;
      pooled += w * c.y[i];
      absolute += w * std::abs(c.y[i]);
    }
  }
};

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// Means to 1e-9 of the mean absolute value, or of 1e-80 of the largest, and weights to 1e-9.
void expect_sums(const Case& c, Counted counted, const Numbers& places) {
  const LineSums sums(points_of(c));
  const Numbers found = sums.at(places, c.h, counted, Scale::kNearest);
  double largest = 0;
  for (const double y : c.y) largest = std::max(largest, std::abs(y));
  const std::size_t m = places.size();
  for (std::size_t i = 0; i < m; i += std::max<std::size_t>(1, m / 30)) {
    const Plain plain(c, places[i], counted == Counted::kOthers ? i : kNobody);
    const auto allowed = 1e-9L * plain.absolute / plain.weight + 1e-80L * largest;
    const long double mean = static_cast<long double>(found[m + i]) / found[i];
    ASSERT_LE(std::abs(mean - plain.pooled / plain.weight), allowed) << "at " << places[i];
    ASSERT_LE(std::abs(found[i] - plain.weight), 1e-9L * plain.weight) << "at " << places[i];
  }
  const auto most = static_cast<double>(c.x.size() + m);
  EXPECT_LE(static_cast<double>(sums.terms()), 200 * most * std::log2(most));
}

/// On every instruction set there is.
template <class Body>
void on_every_tier(const Body& body) {
  const std::string before = simd_tier();
  for (const std::string& tier : simd_tiers()) {
    SCOPED_TRACE(tier);
    set_simd_tier(tier);
    body();
  }
  set_simd_tier(before);
}

TEST(LineSums, MeetPlainSumsOnEveryKindOfData) {
  on_every_tier([] {
    for (const Data& data : data_sets()) {
      for (const Values& values : value_sets()) {
        SCOPED_TRACE(std::string(data.name) + ", " + values.name + ", h = " + std::to_string(data.h));
        const Case c = make(data, values, 2000, false);
        expect_sums(c, Counted::kAll, c.places);
        expect_sums(c, Counted::kOthers, c.x);
      }
    }
  });
}

TEST(LineSums, WeightsOfAnySize) {
  for (const Data& data : data_sets()) {
    SCOPED_TRACE(data.name);
    const Case c = make(data, value_sets().front(), 2000, true);
    expect_sums(c, Counted::kAll, c.places);
    expect_sums(c, Counted::kOthers, c.x);
  }
}

TEST(LineSums, FewPoints) {
  for (const std::int64_t n : {2, 3, 31, 32, 33, 65}) {
    for (const Data& data : data_sets()) {
      SCOPED_TRACE(std::string(data.name) + ", " + std::to_string(n));
      const Case c = make(data, value_sets().front(), n, false);
      expect_sums(c, Counted::kAll, c.places);
      expect_sums(c, Counted::kOthers, c.x);
    }
  }
}

/// Beyond what two places by themselves would take: every kind of data stays near-linear.
TEST(LineSums, NoDataLeaveNearLinearWork) {
  double worst = 0;
  for (const Data& data : data_sets()) {
    for (const Counted counted : {Counted::kAll, Counted::kOthers}) {
      const Case c = make(data, value_sets().front(), 10000, false);
      const LineSums sums(points_of(c));
      sums.at(counted == Counted::kAll ? c.places : c.x, c.h, counted, Scale::kAny);
      const double most = 20000 * std::log2(20000.0);
      worst = std::max(worst, static_cast<double>(sums.terms()) / most);
    }
  }
  RecordProperty("terms_per_n_log_n", std::to_string(worst));
  std::printf("kernel terms: at most %.1f (n + m) log2(n + m)\n", worst);
  EXPECT_LE(worst, 60);
}

TEST(LineSums, BitsDoNotDependOnThreads) {
  const int before = num_threads();
  for (const Data& data : {data_sets()[1], data_sets()[2], data_sets()[7], data_sets()[12]}) {
    SCOPED_TRACE(data.name);
    const Case c = make(data, value_sets().front(), 40000, false);
    const LineSums sums(points_of(c));
    Numbers first;
    for (const int threads : {1, 2, 3, 8}) {
      set_num_threads(threads);
      const Numbers found = sums.at(c.x, c.h, Counted::kOthers, Scale::kAny);
      if (first.empty()) first = found;
      EXPECT_EQ(found, first) << threads;
    }
  }
  set_num_threads(before);
}

TEST(Cells, ErrorStaysWithinItsShare) {
  for (const double n : {2.0, 1e3, 1e6, 1e9}) {
    const double reach = std::sqrt(4 + 2 * std::log(16 * n / 3e-11));
    for (double h = 1; h < 2; h += 0.01) {
      const double width = regression::cell_width(h, reach), r = width / (2 * h);
      EXPECT_EQ(std::exp2(std::round(std::log2(width))), width);
      EXPECT_LE(regression::cell_error(r, reach), 6e-11) << h;
    }
  }
}

/// The bound of a term of the tree: what is left of the generating function's absolute coefficients, at its worst place.
TEST(Tree, ErrorOfATermStaysWithinItsShare) {
  double worst = 0;
  for (double u = 0; u < 200; u += 0.01) {
    const long double rho = 1.67L / (static_cast<long double>(u) + 4);
    // c_k = [z^k] exp(u z + z^2/2): (k + 1) c_{k+1} = u c_k + c_{k-1}
    long double before = 0, now = 1, tail = 0, power = 1;
    for (int k = 0; k < 120; ++k) {
      if (k >= kernels::kTreeMoments) tail += now * power;
      const long double next = (u * now + before) / (k + 1);
      before = now;
      now = next;
      power *= rho;
    }
    worst = std::max(worst, static_cast<double>(tail * std::exp(u * rho + rho * rho / 2)));
  }
  EXPECT_LE(worst, 6e-11);
  EXPECT_GE(worst, 1e-13) << "a bound this loose would waste moments";
}

TEST(SortedOrder, IsAscendingAndStable) {
  Draw draw;
  Numbers x = {0.0, -0.0, 1e-320, -1e-320, 1e308, -1e308, 3, 3, 3};
  for (int i = 0; i < 5000; ++i) x.push_back(std::floor(40 * draw.normal()) * std::exp(30 * draw.normal()));
  const std::vector<std::uint32_t> order = regression::sorted_order(x);
  for (std::size_t i = 1; i < x.size(); ++i) {
    ASSERT_LE(x[order[i - 1]], x[order[i]]);
    if (x[order[i - 1]] == x[order[i]]) {
      ASSERT_LT(order[i - 1], order[i]);
    }
  }
}

}  // namespace
}  // namespace heed::test
