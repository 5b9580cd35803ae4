// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Positions as parameters.
#pragma once

#include <heed/nn/dropout.h>

namespace heed::nn {

struct LearnedPositionalEncodingOptions {
  std::int64_t num_hiddens = -1;  ///< to be given
  double dropout = 0;
  std::int64_t max_len = 1000;
  Dtype dtype = f32;
};

/// dropout(x + P[:L]) for x (B, L, num_hiddens) or (L, num_hiddens). P starts normal with standard deviation 0.02, as
/// in BERT, GPT-2 and ViT; a sequence longer than max_len is an Error.
class HEED_API LearnedPositionalEncoding : public Module {
 public:
  explicit LearnedPositionalEncoding(const LearnedPositionalEncodingOptions& options);

  Tensor operator()(const Tensor& x) const;

  std::string type_name() const override;
  void visit(Visitor& visitor) override;

  Tensor P;  ///< (max_len, num_hiddens)
  Dropout dropout;
};

}  // namespace heed::nn
