// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Values and gradients that PyTorch computed.
#include "support/golden.h"
#include "support/tensors.h"

#include <functional>

namespace heed::test {
namespace {

double tolerance(const GoldenCase& c) { return c.tensor("x").dtype() == f32 ? 2e-6 : 1e-12; }

/// f of x against out, and the gradient of x against grad_x.
void expect_golden(const std::string& name,
                   const std::function<Tensor(const Tensor&, const GoldenCase&)>& f) {
  SCOPED_TRACE(name);
  const GoldenCase& c = golden(name);
  const Tensor x = c.tensor("x").clone().requires_grad_();
  const Tensor out = f(x, c);
  EXPECT_TRUE(near(out, c.tensor("out"), tolerance(c)));
  out.backward(c.tensor("grad_out"));
  EXPECT_TRUE(near(x.grad(), c.tensor("grad_x"), tolerance(c)));
}

std::int64_t dim_of(const GoldenCase& c) { return static_cast<std::int64_t>(c.scalar("dim")); }

TEST(Golden, SoftmaxFamily) {
  for (const char* form : {"softmax_last", "softmax_middle", "softmax_last_f32", "softmax_neg_inf"}) {
    expect_golden(form, [](const Tensor& x, const GoldenCase& c) { return softmax(x, dim_of(c)); });
  }
  for (const char* form : {"log_softmax_last", "log_softmax_middle", "log_softmax_last_f32"}) {
    expect_golden(form, [](const Tensor& x, const GoldenCase& c) { return log_softmax(x, dim_of(c)); });
  }
  for (const char* form : {"logsumexp_last", "logsumexp_middle", "logsumexp_last_f32", "logsumexp_neg_inf"}) {
    expect_golden(form, [](const Tensor& x, const GoldenCase& c) { return logsumexp(x, dim_of(c)); });
  }
}

TEST(Golden, Activations) {
  expect_golden("gelu", [](const Tensor& x, const GoldenCase&) { return gelu(x); });
  expect_golden("gelu_tanh", [](const Tensor& x, const GoldenCase&) { return gelu(x, Gelu::kTanh); });
  expect_golden("sigmoid", [](const Tensor& x, const GoldenCase&) { return sigmoid(x); });
  expect_golden("tanh", [](const Tensor& x, const GoldenCase&) { return tanh(x); });
  expect_golden("relu", [](const Tensor& x, const GoldenCase&) { return relu(x); });
}

TEST(Golden, LayerNorm) {
  for (const char* form : {"layer_norm_last", "layer_norm_last_two", "layer_norm_last_f32"}) {
    const GoldenCase& c = golden(form);
    const Tensor weight = c.tensor("weight").clone().requires_grad_();
    const Tensor bias = c.tensor("bias").clone().requires_grad_();
    expect_golden(form, [&](const Tensor& x, const GoldenCase&) {
      return layer_norm(x, weight.shape(), {.weight = weight, .bias = bias, .epsilon = c.scalar("eps")});
    });
    EXPECT_TRUE(near(weight.grad(), c.tensor("grad_weight"), tolerance(c))) << form;
    EXPECT_TRUE(near(bias.grad(), c.tensor("grad_bias"), tolerance(c))) << form;
  }
}

TEST(Golden, Linear) {
  for (const char* form : {"linear", "linear_f32"}) {
    const GoldenCase& c = golden(form);
    const Tensor weight = c.tensor("weight").clone().requires_grad_();
    const Tensor bias = c.tensor("bias").clone().requires_grad_();
    expect_golden(
        form, [&](const Tensor& x, const GoldenCase&) { return matmul(x, weight.transpose(0, 1)) + bias; });
    EXPECT_TRUE(near(weight.grad(), c.tensor("grad_weight"), tolerance(c))) << form;
    EXPECT_TRUE(near(bias.grad(), c.tensor("grad_bias"), tolerance(c))) << form;
  }
}

TEST(Golden, Losses) {
  const GoldenCase& entropy = golden("cross_entropy");
  const Tensor logits = entropy.tensor("x").clone().requires_grad_();
  const Tensor loss = cross_entropy(logits, entropy.tensor("target"));
  EXPECT_NEAR(loss.item(), entropy.scalar("loss"), 1e-14);
  loss.backward();
  EXPECT_TRUE(near(logits.grad(), entropy.tensor("grad_x"), 1e-14));

  const GoldenCase& square = golden("mse_loss");
  const Tensor prediction = square.tensor("x").clone().requires_grad_();
  const Tensor target = square.tensor("target").clone().requires_grad_();
  const Tensor error = mse_loss(prediction, target);
  EXPECT_NEAR(error.item(), square.scalar("loss"), 1e-14);
  error.backward();
  EXPECT_TRUE(near(prediction.grad(), square.tensor("grad_x"), 1e-14));
  EXPECT_TRUE(near(target.grad(), square.tensor("grad_target"), 1e-14));
}

TEST(Golden, Embedding) {
  const GoldenCase& c = golden("embedding");
  const Tensor table = c.tensor("weight").clone().requires_grad_();
  const Tensor out = embedding(table, c.tensor("indices"));
  EXPECT_TRUE(same_bits(out.detach(), c.tensor("out")));
  out.backward(c.tensor("grad_out"));
  EXPECT_TRUE(near(table.grad(), c.tensor("grad_weight"), 1e-14));
}

}  // namespace
}  // namespace heed::test
