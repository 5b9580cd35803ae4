// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/learned_positional_encoding.h>

#include "core/check.h"
#include "nn/init.h"

namespace heed::nn {

LearnedPositionalEncoding::LearnedPositionalEncoding(const LearnedPositionalEncodingOptions& options)
    : dropout({.p = options.dropout}) {
  const char* module = "LearnedPositionalEncoding";
  check(options.num_hiddens >= 0, module, "num_hiddens must be given and at least 0, found {}",
        options.num_hiddens);
  check(options.max_len >= 0, module, "max_len must be at least 0, found {}", options.max_len);
  check(is_floating(options.dtype), module, "dtype must be f32 or f64, found {}", options.dtype);
  P = normal_parameter({options.max_len, options.num_hiddens}, 0.02, options.dtype);
}

Tensor LearnedPositionalEncoding::operator()(const Tensor& x) const {
  const char* module = "LearnedPositionalEncoding";
  check_floating(x, module, "x");
  check((x.rank() == 2 || x.rank() == 3) && x.size(-1) == P.size(1), module,
        "x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = {}, found {}", P.size(1),
        x.shape());
  check(x.size(-2) <= P.size(0), module, "x must be no longer than max_len = {}, found {}", P.size(0),
        x.shape());
  return dropout(x + P.slice(0, {.start = 0, .stop = x.size(-2)}));
}

std::string LearnedPositionalEncoding::type_name() const { return "LearnedPositionalEncoding"; }

void LearnedPositionalEncoding::visit(Visitor& visitor) {
  visitor.parameter("P", P);
  visitor.module("dropout", dropout);
}

}  // namespace heed::nn
