// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/embedding.h>

#include "core/check.h"
#include "nn/init.h"

namespace heed::nn {

Embedding::Embedding(const EmbeddingOptions& options) {
  const auto [count, width, dtype] = options;
  check(count >= 0, "Embedding", "num_embeddings must be given and at least 0, found {}", count);
  check(width >= 0, "Embedding", "embedding_dim must be given and at least 0, found {}", width);
  check(is_floating(dtype), "Embedding", "dtype must be f32 or f64, found {}", dtype);
  weight = normal_parameter({count, width}, 1, dtype);
}

Tensor Embedding::operator()(const Tensor& indices) const {
  check_dtype(indices, i64, "Embedding", "indices");
  return embedding(weight, indices);
}

std::string Embedding::type_name() const { return "Embedding"; }

std::string Embedding::options_text() const { return fmt::format("{}, {}", weight.size(0), weight.size(1)); }

void Embedding::visit(Visitor& visitor) { visitor.parameter("weight", weight); }

}  // namespace heed::nn
