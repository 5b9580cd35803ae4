// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention against numbers PyTorch computed: values, log-sum-exp and gradients.
#include "support/golden.h"
#include "support/tensors.h"

#include <gtest/gtest.h>

namespace heed::test {
namespace {

class GoldenAttention : public testing::TestWithParam<const char*> {};

TEST_P(GoldenAttention, MatchesPyTorch) {
  const GoldenCase& c = golden(GetParam());
  const double tolerance = c.tensor("q").dtype() == f32 ? 3e-6 : 1e-12;
  const Tensor q = c.tensor("q").clone().requires_grad_(), k = c.tensor("k").clone().requires_grad_(),
               v = c.tensor("v").clone().requires_grad_();
  AttendOptions options{.score = ScaledDot{.scale = c.scalar("scale")}};
  if (c.scalar("is_causal") != 0) options.mask = options.mask & causal(Align::kTopLeft);
  if (c.has("mask")) options.mask = options.mask & mask(c.tensor("mask"));
  if (c.has("bias")) options.bias = c.tensor("bias").clone().requires_grad_();
  const AttendResult result = attend_with_weights(q, k, v, options);
  EXPECT_TRUE(near(result.output, c.tensor("out"), tolerance));
  EXPECT_TRUE(near(result.log_sum_exp, c.tensor("lse"), tolerance));
  result.output.backward(c.tensor("grad_out"));
  EXPECT_TRUE(near(q.grad(), c.tensor("grad_q"), tolerance));
  EXPECT_TRUE(near(k.grad(), c.tensor("grad_k"), tolerance));
  EXPECT_TRUE(near(v.grad(), c.tensor("grad_v"), tolerance));
  if (c.has("bias")) {
    EXPECT_TRUE(near(options.bias.grad(), c.tensor("grad_bias"), tolerance));
  }
}

INSTANTIATE_TEST_SUITE_P(Sdpa, GoldenAttention,
                         testing::Values("sdpa_plain", "sdpa_plain_f32", "sdpa_scale", "sdpa_causal",
                                         "sdpa_causal_f32", "sdpa_causal_fewer_queries",
                                         "sdpa_causal_more_queries", "sdpa_bool_mask", "sdpa_bias",
                                         "sdpa_gqa", "sdpa_gqa_causal", "sdpa_value_size"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace heed::test
