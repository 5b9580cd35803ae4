// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Batched products by BLAS, cut into blocks by shape alone: every block is one single-threaded BLAS call, so that
// the bits of the result do not depend on who computes it.
#include "core/dtype_dispatch.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/loop.h"

#include <cblas.h>
#include <omp.h>

namespace heed::kernels::cpu {
namespace {

/// Keeps an OpenMP BLAS from starting threads of its own. The setting belongs to the calling thread and is put back.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() noexcept : previous_(omp_get_max_threads()) {
    if (previous_ != 1) omp_set_num_threads(1);
  }
  ~SingleThreadedBlas() {
    if (previous_ != 1) omp_set_num_threads(previous_);
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int previous_;
};

struct Blocks {
  std::int64_t rows = 0, columns = 0;
};

std::int64_t pieces(std::int64_t size, std::int64_t block) { return (size + block - 1) / block; }

/// Large blocks spare BLAS from packing the same operand again and again; they shrink, in steps that suit its
/// kernels, while there are too few of them for many cores and each is still long enough to be worth a thread.
Blocks blocks_of(const MatmulParams& p, std::int64_t products) {
  constexpr std::int64_t kEnough = 16, kSmallest = 64, kWork = 1 << 22;
  Blocks blocks{std::min<std::int64_t>(p.m, 256), std::min<std::int64_t>(p.n, 512)};
  const auto halved = [](std::int64_t size) { return pieces(size / 2, kSmallest) * kSmallest; };
  while (products * pieces(p.m, blocks.rows) * pieces(p.n, blocks.columns) < kEnough &&
         blocks.rows * blocks.columns * p.k > kWork) {
    std::int64_t& longer = blocks.columns >= 2 * blocks.rows ? blocks.columns : blocks.rows;
    std::int64_t& cut = longer > kSmallest ? longer : blocks.columns;
    if (cut <= kSmallest) break;
    cut = halved(cut);
  }
  return blocks;
}

template <class T>
struct Matrix {
  const T* data;
  bool transposed;
  std::int64_t stride;

  const T* at(std::int64_t row, std::int64_t column) const {
    return data + (transposed ? column * stride + row : row * stride + column);
  }
  CBLAS_TRANSPOSE flag() const { return transposed ? CblasTrans : CblasNoTrans; }
};

template <class T>
void gemm(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t ldc, const std::int64_t (&mnk)[3]) {
  const auto as_int = [](std::int64_t x) { return static_cast<blasint>(x); };
  const blasint m = as_int(mnk[0]), n = as_int(mnk[1]);
  constexpr std::int64_t kLongest = 1 << 30;  // of a sum that one call can take
  for (std::int64_t first = 0; first < mnk[2]; first += kLongest) {
    const blasint k = as_int(std::min(kLongest, mnk[2] - first));
    const T beta = first == 0 ? T{0} : T{1};
    if constexpr (sizeof(T) == 4) {
      cblas_sgemm(CblasRowMajor, a.flag(), b.flag(), m, n, k, 1, a.at(0, first), as_int(a.stride),
                  b.at(first, 0), as_int(b.stride), beta, c, as_int(ldc));
    } else {
      cblas_dgemm(CblasRowMajor, a.flag(), b.flag(), m, n, k, 1, a.at(0, first), as_int(a.stride),
                  b.at(first, 0), as_int(b.stride), beta, c, as_int(ldc));
    }
  }
}

template <class T>
void multiply(const MatmulParams& p) {
  const LoopNest<2> batch(p.batch, {p.a.batch_strides, p.b.batch_strides});
  const std::int64_t inner = batch.inner_size();
  const std::int64_t products = batch.outer_count() * inner;
  T* out = static_cast<T*>(p.c);
  if (products * p.m * p.n == 0) return;
  if (p.k == 0) {
    std::fill_n(out, products * p.m * p.n, T{0});
    return;
  }
  const Blocks blocks = blocks_of(p, products);
  const std::int64_t row_blocks = pieces(p.m, blocks.rows);
  const std::int64_t column_blocks = pieces(p.n, blocks.columns);
  const std::int64_t work = blocks.rows * blocks.columns * p.k;
  const auto strides = batch.inner_strides();

  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 17) / work);
  const std::int64_t pieces_per_poll = std::max<std::int64_t>(1, (1 << 20) / work);
  with_checkpoint([&](Checkpoint& checkpoint) {
    parallel_for(products * row_blocks * column_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      const SingleThreadedBlas guard;
      for (std::int64_t piece = begin; piece < end; ++piece) {
        if ((piece - begin) % pieces_per_poll == 0 && !checkpoint.pass(begin)) return;
        const std::int64_t column = piece % column_blocks * blocks.columns;
        const std::int64_t row = piece / column_blocks % row_blocks * blocks.rows;
        const std::int64_t product = piece / (column_blocks * row_blocks);
        const auto offsets = batch.offsets(product / inner);
        const Matrix<T> a{static_cast<const T*>(p.a.data) + offsets[0] + product % inner * strides[0],
                          p.a.transposed, p.a.stride};
        const Matrix<T> b{static_cast<const T*>(p.b.data) + offsets[1] + product % inner * strides[1],
                          p.b.transposed, p.b.stride};
        T* c = out + (product * p.m + row) * p.n + column;
        const std::int64_t mnk[] = {std::min(blocks.rows, p.m - row), std::min(blocks.columns, p.n - column),
                                    p.k};
        gemm({a.at(row, 0), a.transposed, a.stride}, {b.at(0, column), b.transposed, b.stride}, c, p.n, mnk);
      }
    });
  });
}

}  // namespace

void matmul(const MatmulParams& p) {
  visit_floating(p.dtype, [&](auto zero) { multiply<decltype(zero)>(p); });
}

}  // namespace heed::kernels::cpu
