// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A table of vectors, looked up by index.
#pragma once

#include <heed/nn/module.h>

namespace heed::nn {

struct EmbeddingOptions {
  std::int64_t num_embeddings = -1;  ///< to be given, 0 or more
  std::int64_t embedding_dim = -1;   ///< to be given, 0 or more
  Dtype dtype = f32;
};

/// i64 indices of any shape -> that shape x embedding_dim. The table starts standard normal, as in PyTorch.
class HEED_API Embedding : public Module {
 public:
  explicit Embedding(const EmbeddingOptions& options);

  Tensor operator()(const Tensor& indices) const;

  std::string type_name() const override;
  std::string options_text() const override;
  void visit(Visitor& visitor) override;

  Tensor weight;  ///< (num_embeddings, embedding_dim)
};

}  // namespace heed::nn
