// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Elementwise loops over N strided operands: dimensions are merged where memory allows, rows of the innermost
// one go to the body, long work is split over threads.
#pragma once

#include "core/parallel.h"
#include "kernels/params.h"

#include <array>
#include <cstdint>
#include <cstdlib>

namespace heed::kernels::cpu {

/// N operands over one index space, sizes of 1 dropped and mergeable neighbours merged. Innermost last.
template <std::size_t N>
struct LoopNest {
  std::int64_t rank = 0;
  std::array<std::int64_t, kMaxRank> sizes{};
  std::array<std::array<std::int64_t, kMaxRank>, N> strides{};

  LoopNest(const Extent& extent, const std::array<const std::int64_t*, N>& operand_strides) {
    for (std::int64_t dim = 0; dim < extent.rank; ++dim) {
      if (extent.sizes[dim] == 1) continue;
      if (rank > 0 && continues(extent.sizes[dim], operand_strides, dim)) {
        sizes[at(rank - 1)] *= extent.sizes[dim];
        for (std::size_t n = 0; n < N; ++n) strides[n][at(rank - 1)] = operand_strides[n][dim];
        continue;
      }
      sizes[at(rank)] = extent.sizes[dim];
      for (std::size_t n = 0; n < N; ++n) strides[n][at(rank)] = operand_strides[n][dim];
      ++rank;
    }
    if (rank == 0) {
      sizes[0] = 1;
      rank = 1;
    }
  }

  std::int64_t inner_size() const { return sizes[at(rank - 1)]; }
  std::array<std::int64_t, N> inner_strides() const {
    std::array<std::int64_t, N> result{};
    for (std::size_t n = 0; n < N; ++n) result[n] = strides[n][at(rank - 1)];
    return result;
  }
  std::int64_t outer_count() const {
    std::int64_t count = 1;
    for (std::int64_t dim = 0; dim + 1 < rank; ++dim) count *= sizes[at(dim)];
    return count;
  }
  /// Whether rows of the innermost dimension jump through some operand that has elements of the next dimension side by side, as
  /// in a transposed one.
  bool transposed() const {
    if (rank < 2) return false;
    for (const auto& stride : strides) {
      const std::int64_t inner = std::abs(stride[at(rank - 1)]), next = std::abs(stride[at(rank - 2)]);
      if (next > 0 && next < inner) return true;
    }
    return false;
  }
  /// Offsets of row `outer` (row-major over all dims but the innermost).
  std::array<std::int64_t, N> offsets(std::int64_t outer) const {
    std::array<std::int64_t, N> result{};
    for (std::int64_t dim = rank - 2; dim >= 0; --dim) {
      const std::int64_t i = outer % sizes[at(dim)];
      outer /= sizes[at(dim)];
      for (std::size_t n = 0; n < N; ++n) result[n] += i * strides[n][at(dim)];
    }
    return result;
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  bool continues(std::int64_t size, const std::array<const std::int64_t*, N>& operand_strides,
                 std::int64_t dim) const {
    for (std::size_t n = 0; n < N; ++n) {
      if (strides[n][at(rank - 1)] != operand_strides[n][dim] * size) return false;
    }
    return true;
  }
};

/// body(offsets, strides, count) for runs along the innermost dimension; every element is in exactly one run.
template <std::size_t N, class Body>
void for_each_run(const LoopNest<N>& nest, const Body& body) {
  constexpr std::int64_t kRun = 1 << 14;  // long rows are cut, so that one row can use every thread
  const std::int64_t inner = nest.inner_size();
  const std::int64_t pieces = (inner + kRun - 1) / kRun;
  const std::int64_t runs = nest.outer_count() * pieces;
  const auto strides = nest.inner_strides();
  const std::int64_t grain =
      std::max<std::int64_t>(1, 2 * kRun / std::max<std::int64_t>(1, std::min(inner, kRun)));
  parallel_for(runs, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t run = begin; run < end; ++run) {
      auto offsets = nest.offsets(run / pieces);
      const std::int64_t first = run % pieces * kRun;
      for (std::size_t n = 0; n < N; ++n) offsets[n] += first * strides[n];
      body(offsets, strides, std::min(kRun, inner - first));
    }
  });
}

/// The same in short runs, of several rows by turns: what one row of a transposed operand jumps over is what the next one reads,
/// and still in the cache.
template <std::size_t N, class Body>
void for_each_short_run(const LoopNest<N>& nest, const Body& body) {
  constexpr std::int64_t kRows = 64, kColumns = 512, kRun = 16;
  const std::int64_t rows = nest.outer_count(), inner = nest.inner_size();
  const std::int64_t across = (inner + kColumns - 1) / kColumns, blocks = (rows + kRows - 1) / kRows * across;
  const auto strides = nest.inner_strides();
  const std::int64_t grain = std::max<std::int64_t>(1, kColumns / std::max<std::int64_t>(1, inner));
  parallel_for(blocks, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      const std::int64_t row = block / across * kRows, count = std::min(kRows, rows - row);
      std::array<std::int64_t, N> offsets[kRows];
      for (std::int64_t i = 0; i < count; ++i) offsets[i] = nest.offsets(row + i);
      const std::int64_t first = block % across * kColumns, last = std::min(inner, first + kColumns);
      for (std::int64_t column = first; column < last; column += kRun) {
        for (std::int64_t i = 0; i < count; ++i) {
          std::array<std::int64_t, N> at = offsets[i];
          for (std::size_t n = 0; n < N; ++n) at[n] += column * strides[n];
          body(at, strides, std::min(kRun, last - column));
        }
      }
    }
  });
}

}  // namespace heed::kernels::cpu
