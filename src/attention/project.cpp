#include "attention/project.h"

#include "autograd/record.h"
#include "core/tensor_impl.h"
#include "kernels/table.h"

#include <heed/ops.h>

namespace heed::detail {
namespace {

/// x (..., in) w (in, out), both contiguous, off the tape.
Tensor product(const Tensor& x, const Tensor& w) {
  Shape shape = x.shape();
  shape[shape.rank() - 1] = w.size(1);
  const Tensor y = empty(shape, x.dtype());
  std::int64_t rows = 1;
  for (std::int64_t dim = 0; dim + 1 < x.rank(); ++dim) rows *= x.size(dim);
  kernels::kernels_for(x).project_rows(
      {x.dtype(), rows, w.size(0), w.size(1), raw(x), raw(w), raw_mutable(y)});
  return y;
}

}  // namespace

Tensor project(const Tensor& strided_x, const Tensor& W) {
  const Tensor x = strided_x.contiguous();
  const Tensor y = product(x.detach(), W.detach().transpose(0, 1).contiguous());
  if (!needs_grad(x, W)) return y;
  return record("project", y, {x, W}, [x = Saved(x), W = Saved(W)](const Tensor& strided_grad) -> Gradients {
    const Tensor grad = strided_grad.contiguous();
    const auto rows = [](const Tensor& t) {
      return t.reshape({t.size(-1) > 0 ? t.numel() / t.size(-1) : 0, t.size(-1)});
    };
    return {product(grad, W().contiguous()), matmul(rows(grad).transpose(0, 1), rows(x()))};
  });
}

}  // namespace heed::detail
