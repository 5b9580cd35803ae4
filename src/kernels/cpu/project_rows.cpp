// Row-wise products: the sum over `in` runs in order for every output element, so no row depends on its neighbours.
#include "core/dtype_dispatch.h"
#include "core/parallel.h"
#include "kernels/cpu/cpu_kernels.h"

#include <algorithm>

namespace heed::kernels::cpu {
namespace {

/// y (R, out) for R rows of x at once: each row of w is read once for all of them.
template <int R, class T>
void project(const T* x, const T* w, T* y, std::int64_t in, std::int64_t out) {
  std::fill_n(y, R * out, T{0});
  for (std::int64_t d = 0; d < in; ++d) {
    const T* row = w + d * out;
    T factor[R];
    for (int r = 0; r < R; ++r) factor[r] = x[r * in + d];
    for (std::int64_t h = 0; h < out; ++h) {
      for (int r = 0; r < R; ++r) y[r * out + h] += factor[r] * row[h];
    }
  }
}

}  // namespace

void project_rows(const ProjectRowsParams& p) noexcept {
  visit_floating(p.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(p.x);
    const T* w = static_cast<const T*>(p.w);
    T* y = static_cast<T*>(p.y);
    const std::int64_t grain = (1 << 15) / std::max<std::int64_t>(1, p.in * p.out) + 1;
    parallel_for(p.rows, grain, [&](std::int64_t begin, std::int64_t end) {
      std::int64_t i = begin;
      for (; i + 4 <= end; i += 4) project<4>(x + i * p.in, w, y + i * p.out, p.in, p.out);
      for (; i < end; ++i) project<1>(x + i * p.in, w, y + i * p.out, p.in, p.out);
    });
  });
}

}  // namespace heed::kernels::cpu
