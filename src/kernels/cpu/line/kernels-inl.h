// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The loops of kernels/line.h for the instruction set this file is compiled for.
#pragma once

#include "kernels/cpu/attention/exp2-inl.h"
#include "kernels/cpu/attention/simd-inl.h"
#include "kernels/line.h"

namespace heed::kernels::cpu::HEED_TIER::line {

using V = Vec<double>;
inline constexpr int kL = kLanes<double>;
inline constexpr double kHalfLog2e = 0.72134752044448170368;

HEED_INLINE double sum_of(V x) {
  double lanes[kL], total = 0;
  store(lanes, x);
  for (double lane : lanes) total += lane;
  return total;
}

/// Powers of v by whole blocks: the block stays in registers, and each moment is one sum over it.
inline void moments(const LineMoments& m) noexcept {
  constexpr int kBlock = 4;
  const V inverse = set(m.inverse), centre = set(m.centre);
  for (std::int64_t i = 0; i < m.points.count; i += kBlock * kL) {
    V v[kBlock], e[kBlock];
    HEED_UNROLL
    for (int b = 0; b < kBlock; ++b) {
      const std::int64_t left = m.points.count - i - b * kL;
      const int n = left >= kL ? kL : left > 0 ? static_cast<int>(left) : 0;
      // Lanes without a point have no value below.
      v[b] = n == kL ? (load(m.points.x + i + b * kL) - centre) * inverse
             : n > 0 ? (load_first(m.points.x + i + b * kL, n) - centre) * inverse
                     : set(0.0);
      if (n < kL) {
        double lanes[kL];
        store(lanes, v[b]);
        for (int l = n; l < kL; ++l) lanes[l] = 0;
        v[b] = load(lanes);
      }
      e[b] = exp2(set(-kHalfLog2e) * v[b] * v[b]);
    }
    for (int c = 0; c < m.points.channels; ++c) {
      const double* row = m.points.values + c * m.points.stride + i;
      V t[kBlock];
      HEED_UNROLL
      for (int b = 0; b < kBlock; ++b) {
        const std::int64_t left = m.points.count - i - b * kL;
        const int n = left >= kL ? kL : left > 0 ? static_cast<int>(left) : 0;
        t[b] = n == kL ? load(row + b * kL) * e[b] : n > 0 ? load_first(row + b * kL, n) * e[b] : set(0.0);
      }
      double* out = m.out + c * kLineMoments;
      for (int k = 0; k < kLineMoments; ++k) {
        out[k] += sum_of((t[0] + t[1]) + (t[2] + t[3]));
        HEED_UNROLL
        for (int b = 0; b < kBlock; ++b) t[b] = t[b] * v[b];
      }
    }
  }
}

inline void nodes(const LineNodes& m) noexcept {
  constexpr int kParts = kLineNodes / kL;
  for (int c = 0; c < m.channels; ++c) {
    V sums[kParts];
    HEED_UNROLL
    for (int p = 0; p < kParts; ++p) sums[p] = set(0.0);
    for (std::int64_t n = 0; n < m.count; ++n) {
      const LineCell& cell = m.cells[n];
      const double* a = cell.moments + c * kLineMoments;
      V u[kParts], h[kParts];
      HEED_UNROLL
      for (int p = 0; p < kParts; ++p) {
        u[p] = set(cell.away) + load(m.s + p * kL);
        h[p] = set(a[kLineMoments - 1]);
      }
      for (int k = kLineMoments - 2; k >= 0; --k) {
        const V term = set(a[k]);
        HEED_UNROLL
        for (int p = 0; p < kParts; ++p) h[p] = fma(h[p], u[p], term);
      }
      HEED_UNROLL
      for (int p = 0; p < kParts; ++p) {
        const V depth = set(-2 * kHalfLog2e * cell.away) * (set(cell.away / 2) + load(m.s + p * kL));
        sums[p] = fma(h[p], exp2(depth), sums[p]);
      }
    }
    double values[kLineNodes];
    HEED_UNROLL
    for (int p = 0; p < kParts; ++p) {
      store(values + p * kL, sums[p]);
      sums[p] = set(0.0);
    }
    for (int j = 0; j < kLineNodes; ++j) {
      HEED_UNROLL
      for (int p = 0; p < kParts; ++p)
        sums[p] = fma(set(values[j]), load(m.cosines + j * kLineNodes + p * kL), sums[p]);
    }
    HEED_UNROLL
    for (int p = 0; p < kParts; ++p) store(m.out + c * kLineNodes + p * kL, sums[p]);
  }
}

/// Clenshaw, which does not multiply rounding as powers would.
inline void chebyshev(const LineChebyshev& m) noexcept {
  constexpr int kTogether = 4;
  for (std::int64_t i = 0; i < m.count; i += kTogether * kL) {
    V t[kTogether];
    int n[kTogether];
    HEED_UNROLL
    for (int p = 0; p < kTogether; ++p) {
      const std::int64_t left = m.count - i - p * kL;
      n[p] = left >= kL ? kL : left > 0 ? static_cast<int>(left) : 0;
      t[p] = n[p] == kL ? load(m.t + i + p * kL) : n[p] > 0 ? load_first(m.t + i + p * kL, n[p]) : set(0.0);
    }
    for (int c = 0; c < m.channels; ++c) {
      const double* a = m.coefficients + c * kLineNodes;
      V b1[kTogether], b2[kTogether], twice[kTogether];
      HEED_UNROLL
      for (int p = 0; p < kTogether; ++p) {
        b1[p] = set(a[kLineNodes - 1]);
        b2[p] = set(0.0);
        twice[p] = t[p] + t[p];
      }
      for (int k = kLineNodes - 2; k >= 1; --k) {
        const V term = set(a[k]);
        HEED_UNROLL
        for (int p = 0; p < kTogether; ++p) {
          const V b0 = fma(twice[p], b1[p], term - b2[p]);
          b2[p] = b1[p];
          b1[p] = b0;
        }
      }
      HEED_UNROLL
      for (int p = 0; p < kTogether; ++p) {
        const V value = fma(t[p], b1[p], set(a[0]) - b2[p]);
        double* out = m.out + c * m.stride + i + p * kL;
        if (n[p] == kL) {
          store(out, value);
        } else if (n[p] > 0) {
          store_first(out, value, n[p]);
        }
      }
    }
  }
}

/// Weights of a run of points, then each channel over it.
inline void pairs(const LinePairs& m) noexcept {
  constexpr int kRun = 64;
  double weights[kRun];
  const V x0 = set(m.x0), e0 = set(m.e0), inverse = set(m.inverse), twice_d = set(2 * m.d);
  const V most = set(1e150);
  for (std::int64_t i = 0; i < m.points.count; i += kRun) {
    const int count = static_cast<int>(m.points.count - i < kRun ? m.points.count - i : kRun);
    for (int j = 0; j < count; j += kL) {
      const int n = count - j < kL ? count - j : kL;
      const V x = n == kL ? load(m.points.x + i + j) : load_first(m.points.x + i + j, n);
      const V e = xsimd::min(most, fma(xsimd::abs(x - x0), inverse, e0));
      const V w = exp2(set(-kHalfLog2e) * e * (twice_d + e));
      if (n == kL) {
        store(weights + j, w);
      } else {
        store_first(weights + j, w, n);
      }
    }
    for (int c = 0; c < m.points.channels; ++c) {
      const double* row = m.points.values + c * m.points.stride + i;
      V sum = set(0.0);
      for (int j = 0; j < count; j += kL) {
        const int n = count - j < kL ? count - j : kL;
        sum = n == kL ? fma(load(weights + j), load(row + j), sum)
                      : fma(load_first(weights + j, n), load_first(row + j, n), sum);
      }
      m.out[c] += sum_of(sum);
    }
  }
}

inline void tree(const LineTree& m) noexcept {
  for (std::int64_t first = 0; first < m.count; first += kL) {
    const int n = static_cast<int>(m.count - first < kL ? m.count - first : kL);
    double lanes_u[kL], lanes_rho[kL], lanes_factor[kL];
    const double* moments[kL];
    for (int l = 0; l < kL; ++l) {
      const TreeTerm& term = m.terms[first + (l < n ? l : 0)];
      lanes_u[l] = term.u;
      lanes_rho[l] = term.rho;
      lanes_factor[l] = l < n ? term.factor : 0;
      moments[l] = term.moments;
    }
    const V rho = load(lanes_rho), step = load(lanes_u) * rho, square = rho * rho;
    // G_k = He_k(u) rho^k / k!, from the recurrence of He.
    double g[kTreeMoments][kL];
    V before = set(0.0), now = load(lanes_factor);
    for (int k = 0; k < kTreeMoments; ++k) {
      store(g[k], now);
      const V next = (step * now - square * before) * set(1.0 / (k + 1));
      before = now;
      now = next;
    }
    for (int c = 0; c < m.channels; ++c) {
      double total = 0;
      for (int l = 0; l < n; ++l) {
        const double* row = moments[l] + c * kTreeMoments;
        double even = 0, odd = 0;
        for (int k = 0; k < kTreeMoments; k += 2) {
          even += g[k][l] * row[k];
          odd += g[k + 1][l] * row[k + 1];
        }
        total += even + odd;
      }
      m.out[c] += total;
    }
  }
}

inline LineKernels kernels(const char* name) noexcept {
  return {name, moments, nodes, chebyshev, pairs, tree};
}

}  // namespace heed::kernels::cpu::HEED_TIER::line
