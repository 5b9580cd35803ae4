// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/positional_encoding.h>

#include "core/check.h"
#include "core/dtype_dispatch.h"
#include "core/parallel.h"

#include <heed/ops.h>

#include <cmath>

namespace heed::nn {

Tensor sinusoidal_encoding(std::int64_t length, std::int64_t width, Dtype dtype) {
  check(length >= 0, "sinusoidal_encoding", "length must be at least 0, found {}", length);
  check(width >= 0, "sinusoidal_encoding", "width must be at least 0, found {}", width);
  check(is_floating(dtype), "sinusoidal_encoding", "dtype must be f32 or f64, found {}", dtype);
  const Tensor table = empty({length, width}, dtype);
  visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* out = table.mutable_data<T>();
    parallel_for(length, 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t column = 0; column < width; ++column) {
        const std::int64_t even = column - column % 2;
        const double wavelength = std::pow(10000.0, static_cast<double>(even) / static_cast<double>(width));
        for (std::int64_t pos = begin; pos < end; ++pos) {
          const double angle = static_cast<double>(pos) / wavelength;
          out[pos * width + column] = static_cast<T>(column == even ? std::sin(angle) : std::cos(angle));
        }
      }
    });
  });
  return table;
}

PositionalEncoding::PositionalEncoding(const PositionalEncodingOptions& options)
    : dropout({.p = options.dropout}),
      num_hiddens_(options.num_hiddens),
      max_len_(options.max_len),
      grow_(options.grow) {
  check(num_hiddens_ >= 0, "PositionalEncoding", "num_hiddens must be given and at least 0, found {}",
        num_hiddens_);
  check(max_len_ >= 0, "PositionalEncoding", "max_len must be at least 0, found {}", max_len_);
}

Tensor PositionalEncoding::operator()(const Tensor& x) {
  check_floating(x, "PositionalEncoding", "x");
  check((x.rank() == 2 || x.rank() == 3) && x.size(-1) == num_hiddens_, "PositionalEncoding",
        "x must be (B, L, num_hiddens) or (L, num_hiddens) with num_hiddens = {}, found {}", num_hiddens_,
        x.shape());
  const std::int64_t length = x.size(-2);
  check(grow_ || length <= max_len_, "PositionalEncoding",
        "x must be no longer than max_len = {}, found {}; {{.grow = true}} makes the table longer", max_len_,
        x.shape());
  if (length > max_len_) lengthen(length, x.dtype());
  const Tensor positions = P(x.dtype()).slice(1, {.start = 0, .stop = length});
  return dropout(x + (x.rank() == 3 ? positions : positions.squeeze(0)));
}

void PositionalEncoding::lengthen(std::int64_t length, Dtype dtype) {
  // At least twice as long, so that a sequence growing by one does not make a table each time.
  const std::int64_t longer = std::max(length, 2 * max_len_);
  tables_[dtype == f32 ? 0 : 1] = sinusoidal_encoding(longer, num_hiddens_, dtype).unsqueeze(0);
  max_len_ = longer;
}

Tensor PositionalEncoding::P(Dtype dtype) {
  check(is_floating(dtype), "PositionalEncoding", "P: dtype must be f32 or f64, found {}", dtype);
  Tensor& table = tables_[dtype == f32 ? 0 : 1];
  if (!table.defined() || table.size(1) < max_len_) {
    table = sinusoidal_encoding(max_len_, num_hiddens_, dtype).unsqueeze(0);
  }
  return table;
}

std::string PositionalEncoding::type_name() const { return "PositionalEncoding"; }

void PositionalEncoding::visit(Visitor& visitor) { visitor.module("dropout", dropout); }

}  // namespace heed::nn
