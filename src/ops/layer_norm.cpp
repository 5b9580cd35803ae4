// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "autograd/record.h"
#include "core/check.h"
#include "core/tensor_impl.h"
#include "kernels/launch.h"
#include "kernels/table.h"

#include <heed/ops.h>

namespace heed {
namespace {

const void* raw_or_null(const Tensor& x) { return x.defined() ? detail::raw(x) : nullptr; }

void check_arguments(const Tensor& x, const Shape& normalized, const LayerNormOptions& options) {
  check_floating(x, "layer_norm", "x");
  const std::int64_t lead = x.rank() - normalized.rank();
  check(normalized.rank() > 0 && lead >= 0 &&
            std::equal(normalized.begin(), normalized.end(), x.shape().begin() + lead),
        "layer_norm", "normalized {} must be the last dims of x, found {}", normalized, x.shape());
  const auto check_parameter = [&](const Tensor& parameter, const char* argument) {
    if (!parameter.defined()) return;
    check(parameter.shape() == normalized, "layer_norm", "{} has shape {}, expected {}", argument,
          parameter.shape(), normalized);
    check(parameter.dtype() == x.dtype(), "layer_norm", "{} is {}, expected {} as x is", argument,
          parameter.dtype(), x.dtype());
  };
  check_parameter(options.weight, "weight");
  check_parameter(options.bias, "bias");
  check(options.epsilon >= 0, "layer_norm", "epsilon must not be negative, found {}", options.epsilon);
}

}  // namespace

Tensor layer_norm(const Tensor& input, const Shape& normalized, const LayerNormOptions& options) {
  check_arguments(input, normalized, options);
  const Tensor x = input.contiguous();
  const Tensor weight = options.weight.defined() ? options.weight.contiguous() : Tensor();
  const Tensor bias = options.bias.defined() ? options.bias.contiguous() : Tensor();
  const std::int64_t n = normalized.numel();
  const std::int64_t rows = n == 0 ? 0 : x.numel() / n;
  const Tensor y = empty(x.shape(), x.dtype());
  const Tensor statistics = empty({2, rows}, f64);  // mean, inverse deviation

  kernels::NormalizeParams params;
  params.dtype = x.dtype();
  params.rows = rows;
  params.n = n;
  params.epsilon = options.epsilon;
  params.x = detail::raw(x);
  params.weight = raw_or_null(weight);
  params.bias = raw_or_null(bias);
  params.y = detail::raw_mutable(y);
  params.mean = statistics.mutable_data<double>();
  params.inverse_deviation = params.mean + rows;
  kernels::kernels_for(x).normalize(params);
  if (!needs_grad(x, weight, bias)) return y;

  const auto gradient = [rows, n, normalized, x = Saved(x), weight = Saved(weight), statistics,
                         for_x = x.requires_grad(), for_weight = weight.requires_grad(),
                         for_bias = bias.requires_grad()](const Tensor& grad) -> Gradients {
    const Tensor grad_y = grad.contiguous();
    const Tensor grad_x = for_x ? empty(x().shape(), x().dtype()) : Tensor();
    const Tensor terms = for_weight ? empty({rows, n}, x().dtype()) : Tensor();
    kernels::NormalizeGradParams back;
    back.dtype = x().dtype();
    back.rows = rows;
    back.n = n;
    back.x = detail::raw(x());
    back.weight = raw_or_null(weight());
    back.mean = statistics.data<double>();
    back.inverse_deviation = back.mean + rows;
    back.grad_y = detail::raw(grad_y);
    back.grad_x = for_x ? detail::raw_mutable(grad_x) : nullptr;
    back.grad_weight_terms = for_weight ? detail::raw_mutable(terms) : nullptr;
    kernels::kernels_for(grad).normalize_grad(back);
    const auto over_rows = [&](const Tensor& all) {
      return reduce(ReduceOp::kSum, all.reshape({rows, n}), 0).reshape(normalized);
    };
    return {grad_x, for_weight ? over_rows(terms) : Tensor(), for_bias ? over_rows(grad_y) : Tensor()};
  };
  return record("layer_norm", y, {x, weight, bias}, gradient);
}

}  // namespace heed
