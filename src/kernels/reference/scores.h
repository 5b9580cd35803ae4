// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The scores' meaning and their derivatives, on rows of D numbers. w is the score's vector of weights.
#pragma once

#include "kernels/attention.h"
#include "kernels/reference/compensated_sum.h"

#include <cmath>
#include <cstdint>

namespace heed::kernels::reference {

/// Where gradient() adds: d score times the derivative with respect to q, k and w.
struct ScoreGradient {
  double* queries;
  double* keys;
  double* weights;
};

struct DotScore {
  double scale;

  double value(const double* q, const double* k, std::int64_t D) const noexcept {
    CompensatedSum sum;
    for (std::int64_t d = 0; d < D; ++d) sum.add(q[d] * k[d]);
    return scale * sum.value();
  }
  void gradient(double grad, const double* q, const double* k, std::int64_t D,
                const ScoreGradient& to) const noexcept {
    for (std::int64_t d = 0; d < D; ++d) {
      to.queries[d] += grad * scale * k[d];
      to.keys[d] += grad * scale * q[d];
    }
  }
};

struct GaussianScore {
  const double* w;

  double value(const double* q, const double* k, std::int64_t D) const noexcept {
    CompensatedSum sum;
    for (std::int64_t d = 0; d < D; ++d) {
      const double u = w[d] * (q[d] - k[d]);
      sum.add(u * u);
    }
    return -0.5 * sum.value();
  }
  void gradient(double grad, const double* q, const double* k, std::int64_t D,
                const ScoreGradient& to) const noexcept {
    for (std::int64_t d = 0; d < D; ++d) {
      const double difference = q[d] - k[d];
      const double pull = grad * w[d] * difference;
      to.queries[d] -= pull * w[d];
      to.keys[d] += pull * w[d];
      to.weights[d] -= pull * difference;
    }
  }
};

struct AdditiveScore {
  const double* w;

  double value(const double* q, const double* k, std::int64_t D) const noexcept {
    CompensatedSum sum;
    for (std::int64_t d = 0; d < D; ++d) sum.add(w[d] * std::tanh(q[d] + k[d]));
    return sum.value();
  }
  void gradient(double grad, const double* q, const double* k, std::int64_t D,
                const ScoreGradient& to) const noexcept {
    for (std::int64_t d = 0; d < D; ++d) {
      const double t = std::tanh(q[d] + k[d]);
      const double slope = grad * w[d] * (1 - t * t);
      to.queries[d] += slope;
      to.keys[d] += slope;
      to.weights[d] += grad * t;
    }
  }
};

/// body(score) with the score of the problem; w is its weights in f64.
template <class Body>
void with_score(const AttendProblem& problem, const double* w, const Body& body) {
  switch (problem.score) {
    case ScoreKind::kDot: return body(DotScore{problem.scale});
    case ScoreKind::kGaussian: return body(GaussianScore{w});
    case ScoreKind::kAdditive: return body(AdditiveScore{w});
  }
}

}  // namespace heed::kernels::reference
