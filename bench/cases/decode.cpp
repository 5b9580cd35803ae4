// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// One query against a cache of keys and values: reading memory is all there is, or nearly.
#include "cases.h"

#include <heed/heed.h>

#include <fmt/format.h>

namespace heed::bench {
namespace {

struct Cache {
  std::int64_t heads, shared_heads, keys, size;

  double bytes() const {
    return 2.0 * static_cast<double>(shared_heads * keys * size) * static_cast<double>(sizeof(float));
  }
  std::string text() const {
    const std::string grouped = heads == shared_heads ? "" : fmt::format("/{}", shared_heads);
    return fmt::format("b1 h{}{} q1 n{} d{}", heads, grouped, keys, size);
  }
  Tensor queries() const { return normal({1, heads, 1, size}); }
  Tensor rows() const { return normal({1, shared_heads, keys, size}); }
};

Case decode_case(const std::string& name, const Cache& cache, bool biased = false) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = cache.text() + (biased ? " bias" : ""),
          .work = {Work::Unit::kBytes, cache.bytes()},
          .prepare = [=]() -> Run {
            const Tensor queries = cache.queries(), keys = cache.rows(), values = cache.rows();
            const AttendOptions options{.bias = biased ? normal({cache.heads, 1, cache.keys}) : Tensor()};
            return [=] {
              const NoGrad guard;
              attend(queries, keys, values, options);
            };
          }};
}

/// The backward pass alone: reads keys and values, writes their gradients.
Case decode_backward_case(const std::string& name, const Cache& cache) {
  return {.name = name,
          .score = "scaled_dot",
          .shape = cache.text(),
          .work = {Work::Unit::kBytes, 2 * cache.bytes()},
          .prepare = [=]() -> Run {
            const std::vector<Tensor> leaves = {cache.queries(), cache.rows(), cache.rows()};
            for (const Tensor& x : leaves) x.requires_grad_();
            const Tensor out = attend(leaves[0], leaves[1], leaves[2]);
            return [leaves, out, seed = ones_like(out)] {
              for (const Tensor& x : leaves) x.set_grad({});
              out.backward_retaining_graph(seed);
            };
          }};
}

}  // namespace

void add_decode_cases(Cases& cases) {
  cases.push_back(decode_case("decode_d128_n32768", {32, 8, 32768, 128}));
  const Cache near{8, 8, 2048, 64};
  cases.push_back(decode_case("decode_d64_n2048", near));
  cases.push_back(decode_case("decode_bias_d64_n2048", near, true));
  cases.push_back(decode_backward_case("decode_backward_d64_n2048", near));
}

}  // namespace heed::bench
