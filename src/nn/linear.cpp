// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/linear.h>

#include "attention/project.h"
#include "core/check.h"
#include "nn/init.h"
#include "nn/python_text.h"

#include <cmath>

namespace heed::nn {

Linear::Linear(const LinearOptions& options) {
  const auto [in, out, with_bias, dtype] = options;
  check(in >= 0, "Linear", "in_features must be given and at least 0, found {}", in);
  check(out >= 0, "Linear", "out_features must be given and at least 0, found {}", out);
  check(is_floating(dtype), "Linear", "dtype must be f32 or f64, found {}", dtype);
  const double bound = in > 0 ? 1 / std::sqrt(static_cast<double>(in)) : 0;
  weight = uniform_parameter({out, in}, bound, dtype);
  if (with_bias) bias = uniform_parameter({out}, bound, dtype);
}

Tensor Linear::operator()(const Tensor& x) const {
  check_floating(x, "Linear", "x");
  check(x.rank() >= 1 && x.size(-1) == weight.size(1), "Linear",
        "x must be (..., in_features) with in_features = {}, found {}", weight.size(1), x.shape());
  if (x.dtype() == weight.dtype()) return heed::detail::project(x, weight, bias);
  const Tensor y = matmul(x, weight.transpose(0, 1));
  return bias.defined() ? y + bias : y;
}

std::string Linear::type_name() const { return "Linear"; }

std::string Linear::options_text() const {
  return fmt::format("in_features={}, out_features={}, bias={}", weight.size(1), weight.size(0),
                     python_text(bias.defined()));
}

void Linear::visit(Visitor& visitor) {
  visitor.parameter("weight", weight);
  visitor.parameter("bias", bias);
}

}  // namespace heed::nn
