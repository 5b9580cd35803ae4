// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Rows times a matrix, as linear layers have it. Every sum runs over the inputs in order, 256 at a time, so that no row depends
// on its neighbours or on how the matrix lies.
#pragma once

#include "kernels/cpu/attention/pack-inl.h"
#include "kernels/cpu/attention/pool-inl.h"
#include "kernels/cpu/attention/tier.h"
#include "kernels/cpu/attention/transpose-inl.h"

#include <algorithm>

namespace heed::kernels::cpu::HEED_TIER {

/// Pooling, with inputs for weights and weights for values: (depth, outputs [out, out + width)) of them in `w`, from input
/// `from` on.
template <class T>
void project_depth(const ProjectRowsParams& p, const ProjectBlock& block, std::int64_t from, std::int64_t out,
                   std::int64_t width, const Rows<T>& w) {
  const T* x = static_cast<const T*>(p.x) + block.row_begin * p.x_row + from * p.x_column;
  T* y = static_cast<T*>(p.y) + block.row_begin * p.out + out;
  PoolTask<T> task = pool_onto<T>(y, p.out, x, p.x_column, p.x_row, w, std::min(kProjectDepth, p.in - from));
  if (from == 0) {
    task.from = p.bias ? static_cast<const T*>(p.bias) + out : nullptr;
    task.from_stride = 0;
  }
  pool<T>(static_cast<int>(block.row_end - block.row_begin), width, task);
}

/// Weights of an input side by side.
template <class T>
void project_pooled(const ProjectRowsParams& p, const ProjectBlock& block) {
  const T* w = static_cast<const T*>(p.w) + block.out_begin;
  std::int64_t from = 0;
  do {
    project_depth<T>(p, block, from, block.out_begin, block.out_end - block.out_begin,
                     {w + from * p.w_in, p.w_in, 1});
    from += kProjectDepth;
  } while (from < p.in);
}

/// Weights of an output side by side: transposed panel by panel, which all rows of the block then use, some rows at a time, so
/// that their inputs are still near when the next panel wants them. panels: (of the block, kProjectDepth, kQueries).
template <class T>
void project_panels(const ProjectRowsParams& p, const ProjectBlock& block, T* panels) {
  constexpr std::int64_t kWidth = Layout<T>::kQueries, kRows = 48;
  static_assert(kWidth * sizeof(T) == kPanelRowBytes);
  const auto each_panel = [&](const auto& body) {
    T* panel = panels;
    for (std::int64_t out = block.out_begin; out < block.out_end; out += kWidth) {
      body(out, std::min(kWidth, block.out_end - out), panel);
      panel += kProjectDepth * kWidth;
    }
  };
  for (std::int64_t from = 0; from < p.in; from += kProjectDepth) {
    each_panel([&](std::int64_t out, std::int64_t width, T* panel) {
      pack<T>({static_cast<const T*>(p.w) + out * p.w_out + from, p.w_out, 1}, static_cast<int>(width),
              std::min(kProjectDepth, p.in - from), T{1}, panel);
    });
    for (std::int64_t row = block.row_begin; row < block.row_end; row += kRows) {
      const ProjectBlock rows{row, std::min(row + kRows, block.row_end), block.out_begin, block.out_end};
      each_panel([&](std::int64_t out, std::int64_t width, const T* panel) {
        project_depth<T>(p, rows, from, out, width, {panel, kWidth, 1});
      });
    }
  }
}

/// The same for few rows: as many outputs as lanes, whose weights are transposed in registers.
template <class T>
class ProjectFewRows {
 public:
  explicit ProjectFewRows(const ProjectRowsParams& p)
      : p_(p),
        x_(static_cast<const T*>(p.x)),
        w_(static_cast<const T*>(p.w)),
        bias_(static_cast<const T*>(p.bias)),
        y_(static_cast<T*>(p.y)) {}

  void run(const ProjectBlock& block) const {
    for (std::int64_t out = block.out_begin; out < block.out_end; out += kN) {
      const int count = static_cast<int>(std::min<std::int64_t>(kN, block.out_end - out));
      std::int64_t row = block.row_begin;
      for (; row + kMostRows <= block.row_end; row += kMostRows) rows<kMostRows>(row, out, count);
      if (row + kMostRows / 2 <= block.row_end) {
        rows<kMostRows / 2>(row, out, count);
        row += kMostRows / 2;
      }
      for (; row + 2 <= block.row_end; row += 2) rows<2>(row, out, count);
      if (row < block.row_end) rows<1>(row, out, count);
    }
  }

 private:
  static constexpr int kN = kLanes<T>;
  static constexpr int kMostRows =
      kRegisters == 32 ? 8 : 4;  ///< whose sums fit the registers beside kN weights

  /// Outputs [out, out + count), count <= kN, of kRows rows.
  template <int kRows>
  void rows(std::int64_t row, std::int64_t out, int count) const {
    Vec<T> total[kRows];
    const Vec<T> bias = bias_ ? load_first(bias_ + out, count) : set(T{0});
    for (std::int64_t from = 0; from < p_.in; from += kProjectDepth) {
      const std::int64_t to = std::min(p_.in, from + kProjectDepth);
      Vec<T> sum[kRows];
      HEED_UNROLL
      for (int r = 0; r < kRows; ++r) sum[r] = set(T{0});
      for (std::int64_t i = from; i < to; i += kN) {
        Vec<T> weights[kN];
        const bool whole = count == kN && i + kN <= to;
        if (whole) {
          load_columns(w_ + out * p_.w_out + i, p_.w_out, weights);
          HEED_UNROLL
          for (int n = 0; n < kN; ++n) add<kRows>(row, i + n, weights[n], sum);
        } else {
          for (std::int64_t n = i; n < std::min(i + kN, to); ++n)
            add<kRows>(row, n, column(out, n, count), sum);
        }
      }
      HEED_UNROLL
      for (int r = 0; r < kRows; ++r)
        total[r] = from > 0 ? sum[r] + total[r] : bias_ ? sum[r] + bias : sum[r];
    }
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) store_first(y_ + (row + r) * p_.out + out, total[r], count);
  }

  template <int kRows>
  HEED_INLINE void add(std::int64_t row, std::int64_t input, Vec<T> weights, Vec<T> (&sum)[kRows]) const {
    const T* x = x_ + row * p_.x_row + input * p_.x_column;
    HEED_UNROLL
    for (int r = 0; r < kRows; ++r) sum[r] = fma(set(x[r * p_.x_row]), weights, sum[r]);
  }

  /// One by one, at the edges.
  Vec<T> column(std::int64_t out, std::int64_t input, int count) const {
    T lanes[kN] = {};
    for (int n = 0; n < count; ++n) lanes[n] = w_[(out + n) * p_.w_out + input];
    return load(lanes);
  }

  const ProjectRowsParams& p_;
  const T *x_, *w_, *bias_;
  T* y_;
};

template <class T>
void project(const ProjectRowsParams& p, const ProjectBlock& block, void* scratch) {
  if (p.w_out == 1) return project_pooled<T>(p, block);
  if (scratch) return project_panels<T>(p, block, static_cast<T*>(scratch));
  ProjectFewRows<T>(p).run(block);
}

}  // namespace heed::kernels::cpu::HEED_TIER
