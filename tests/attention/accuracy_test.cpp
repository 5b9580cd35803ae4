// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The bound of docs/semantics.md, row by row, against long double: where terms of a score cancel, where they pile up, and where
// scores are so small that only the softmax rounds.
#include "support/tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace heed::test {
namespace {

using Wide = long double;

enum class Terms { kRandom, kOneSign, kCancelling };
enum class Formula { kDot, kGaussian, kAdditive };

struct Problem {
  Formula formula;
  std::int64_t Lq, Lk, D;
  Tensor q, k, v, w, bias;

  AttendOptions options() const {
    const Tensor unit = eye(D).to(q.dtype());
    const Score scores[] = {Dot{}, Gaussian{}, Additive{unit, unit, w}};
    return {.score = scores[static_cast<int>(formula)], .bias = bias};
  }
};

struct Case {
  Dtype dtype;
  Formula formula;
  Terms terms;
  std::int64_t D;
  double size;
};

Problem draw(const Case& c, std::uint64_t seed) {
  Generator g(seed);
  Problem p{c.formula, seed % 2 ? 20 : 5, seed % 3 ? 40 : 300, c.D, {}, {}, {}, {}, {}};
  const double offset = c.terms == Terms::kOneSign ? 1 : 0,
               each = c.size / std::sqrt(static_cast<double>(c.D));
  const bool additive = c.formula == Formula::kAdditive;
  p.q = ((normal({p.Lq, c.D}, {}, f64, g) + offset) * (additive ? 1 : each)).to(c.dtype);
  p.k = (normal({p.Lk, c.D}, {}, f64, g) + offset).to(c.dtype);
  p.v = abs(normal({p.Lk, 3}, {}, f64, g)).to(c.dtype);
  p.w = (normal({c.D}, {}, f64, g) * each).to(c.dtype);
  p.bias = (normal({p.Lq, p.Lk}, {}, f64, g)).to(c.dtype);
  if (c.terms == Terms::kCancelling && c.D > 1) {
    // The second half of a score all but undoes the first.
    const std::int64_t half = c.D / 2;
    p.q.slice(1, {half, 2 * half}).copy_(p.q.slice(1, {0, half}).clone());
    p.k.slice(1, {half, 2 * half}).copy_(p.k.slice(1, {0, half}).clone() * -1.0);
  }
  return p;
}

/// A row's pairs: scores, and the largest sum of the sizes of a score's terms and its bias.
struct Row {
  std::vector<Wide> weight;
  Wide A = 0;
};

Row wide_row(const Problem& p, const std::vector<double>& q, const std::vector<double>& k,
             const std::vector<double>& w, const std::vector<double>& bias, std::int64_t i) {
  Row row;
  Wide best = -std::numeric_limits<Wide>::infinity(), sum = 0;
  for (std::int64_t j = 0; j < p.Lk; ++j) {
    const Wide b = bias[static_cast<std::size_t>(i * p.Lk + j)];
    Wide score = b, size = std::abs(b);
    for (std::int64_t d = 0; d < p.D; ++d) {
      const Wide x = q[static_cast<std::size_t>(i * p.D + d)], y = k[static_cast<std::size_t>(j * p.D + d)];
      const Wide term = p.formula == Formula::kDot        ? x * y
                        : p.formula == Formula::kGaussian ? -(x - y) * (x - y) / 2
                                                          : w[static_cast<std::size_t>(d)] * std::tanh(x + y);
      score += term;
      size += p.formula == Formula::kAdditive ? std::abs(static_cast<Wide>(w[static_cast<std::size_t>(d)]))
                                              : std::abs(term);
    }
    row.weight.push_back(score);
    row.A = std::max(row.A, size);
    best = std::max(best, score);
  }
  for (Wide& x : row.weight) sum += x = std::exp(x - best);
  for (Wide& x : row.weight) x /= sum;
  return row;
}

class Accuracy : public testing::TestWithParam<Dtype> {};

TEST_P(Accuracy, StaysWithinTheDocumentedBound) {
  const Dtype dtype = GetParam();
  const Wide u = dtype == f32 ? 0x1p-24L : 0x1p-53L;
  double worst = 0;
  std::uint64_t seed = 0;
  for (const Formula formula : {Formula::kDot, Formula::kGaussian, Formula::kAdditive}) {
    for (const Terms terms : {Terms::kRandom, Terms::kOneSign, Terms::kCancelling}) {
      for (const std::int64_t D : {1, 4, 17, 64, 256}) {
        if (formula == Formula::kAdditive && D > 64) continue;
        for (const double size : {0.01, 1.0, 30.0}) {
          SCOPED_TRACE(testing::Message() << static_cast<int>(formula) << " " << static_cast<int>(terms)
                                          << " D " << D << " size " << size);
          const Problem p = draw({dtype, formula, terms, D, size}, ++seed);
          const AttendResult result = attend_with_weights(p.q, p.k, p.v, p.options());
          const std::vector<double> out = result.output.to_vector(), weights = result.weights().to_vector(),
                                    q = p.q.to_vector(), k = p.k.to_vector(), v = p.v.to_vector(),
                                    w = p.w.to_vector(), bias = p.bias.to_vector();
          for (std::int64_t i = 0; i < p.Lq; ++i) {
            const Row row = wide_row(p, q, k, w, bias, i);
            // What docs/semantics.md promises.
            const Wide bound = (12 + 2 * std::sqrt(static_cast<Wide>(D))) * u * (1 + row.A);
            for (std::int64_t c = 0; c < 3; ++c) {
              Wide exact = 0;
              for (std::int64_t j = 0; j < p.Lk; ++j)
                exact += row.weight[static_cast<std::size_t>(j)] * v[static_cast<std::size_t>(j * 3 + c)];
              const Wide error = std::abs(out[static_cast<std::size_t>(i * 3 + c)] - exact);
              ASSERT_LE(error, bound * exact) << "row " << i;
              worst = std::max(worst, static_cast<double>(error / exact / bound));
            }
            for (std::int64_t j = 0; j < p.Lk; ++j) {
              const Wide exact = row.weight[static_cast<std::size_t>(j)];
              if (exact < 1e-30L) continue;  // below that digits may be lost
              const Wide error = std::abs(weights[static_cast<std::size_t>(i * p.Lk + j)] - exact);
              ASSERT_LE(error, bound * exact) << "row " << i << ", key " << j;
              worst = std::max(worst, static_cast<double>(error / exact / bound));
            }
          }
        }
      }
    }
  }
  std::cout << "worst: " << worst << " of the bound\n";
  EXPECT_GT(worst, 0.1);  // else the bound says nothing
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Accuracy, testing::Values(f32, f64),
                         [](const auto& dtype) { return std::string(name(dtype.param)); });

}  // namespace
}  // namespace heed::test
