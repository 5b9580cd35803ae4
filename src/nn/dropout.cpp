// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/dropout.h>

#include "core/check.h"
#include "nn/python_text.h"

#include <heed/ops.h>

namespace heed::nn {

Dropout::Dropout(const DropoutOptions& options) : p_(options.p) {
  check(p_ >= 0 && p_ <= 1, "Dropout", "p must be in 0..1, found {}", p_);
}

Tensor Dropout::operator()(const Tensor& x) const {
  check_floating(x, "Dropout", "x");
  return rate() > 0 ? dropout(x, p_) : x;
}

std::string Dropout::type_name() const { return "Dropout"; }

std::string Dropout::options_text() const { return fmt::format("p={}, inplace=False", python_text(p_)); }

void Dropout::visit(Visitor&) {}

}  // namespace heed::nn
