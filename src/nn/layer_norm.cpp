// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/layer_norm.h>

#include "core/check.h"
#include "nn/init.h"
#include "nn/python_text.h"

namespace heed::nn {

LayerNorm::LayerNorm(const LayerNormOptions& options) : epsilon_(options.epsilon) {
  const Shape& shape = options.normalized_shape;
  check(shape.rank() >= 1, "LayerNorm", "normalized_shape must be given, with at least one size");
  check(std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size >= 0; }), "LayerNorm",
        "normalized_shape must not have negative sizes, found {}", shape);
  check(epsilon_ >= 0 && std::isfinite(epsilon_), "LayerNorm",
        "epsilon must be finite and at least 0, found {}", epsilon_);
  check(is_floating(options.dtype), "LayerNorm", "dtype must be f32 or f64, found {}", options.dtype);
  weight = parameter(ones(shape, options.dtype));
  bias = parameter(zeros(shape, options.dtype));
}

Tensor LayerNorm::operator()(const Tensor& x) const {
  check_floating(x, "LayerNorm", "x");
  const Shape& shape = weight.shape();
  check(x.rank() >= shape.rank() && std::equal(shape.begin(), shape.end(), x.shape().end() - shape.rank()),
        "LayerNorm", "x must end in normalized_shape = {}, found {}", shape, x.shape());
  return layer_norm(x, shape, {.weight = weight, .bias = bias, .epsilon = epsilon_});
}

std::string LayerNorm::type_name() const { return "LayerNorm"; }

std::string LayerNorm::options_text() const {
  return fmt::format("{}, eps={}, elementwise_affine=True, bias=True", weight.shape(), python_text(epsilon_));
}

void LayerNorm::visit(Visitor& visitor) {
  visitor.parameter("weight", weight);
  visitor.parameter("bias", bias);
}

}  // namespace heed::nn
