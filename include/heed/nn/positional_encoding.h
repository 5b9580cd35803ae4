// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Sinusoidal positions (Vaswani et al. 2017):
//   P[pos, 2i] = sin(pos / 10000^(2i/d)),  P[pos, 2i+1] = cos(pos / 10000^(2i/d))
#pragma once

#include <heed/nn/dropout.h>

#include <array>

namespace heed::nn {

/// The table above, (length, width). Any width; an odd one ends in a sine. Computed in f64, then rounded.
HEED_API Tensor sinusoidal_encoding(std::int64_t length, std::int64_t width, Dtype dtype = f32);

struct PositionalEncodingOptions {
  std::int64_t num_hiddens = -1;  ///< to be given
  double dropout = 0;
  std::int64_t max_len = 1000;
  /// A sequence longer than max_len makes the table longer, instead of being an Error.
  bool grow = false;
};

/// dropout(x + P[:, :L]) for x (B, L, num_hiddens) or (L, num_hiddens), in x's type. Nothing to learn.
class HEED_API PositionalEncoding : public Module {
 public:
  explicit PositionalEncoding(const PositionalEncodingOptions& options);

  Tensor operator()(const Tensor& x);

  /// The table, (1, max_len, num_hiddens).
  Tensor P(Dtype dtype = f32);  // NOLINT(readability-identifier-naming): the notes' name
  std::int64_t num_hiddens() const noexcept { return num_hiddens_; }
  /// Whether longer sequences make the table longer.
  bool grows() const noexcept { return grow_; }
  /// Length of the table; growing raises it.
  std::int64_t max_len() const noexcept { return max_len_; }

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  Dropout dropout;

 private:
  void lengthen(std::int64_t length, Dtype dtype);

  std::int64_t num_hiddens_;
  std::int64_t max_len_;
  bool grow_;
  std::array<Tensor, 2> tables_;  ///< f32 and f64, each made when first used
};

}  // namespace heed::nn
