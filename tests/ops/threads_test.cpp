// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Large tensors through the operations that split their work: the same bits for any number of threads.
#include "support/tensors.h"

#include <functional>

namespace heed::test {
namespace {

void expect_same_for_any_threads(const std::function<Tensor()>& run) {
  const Tensor one = with_threads(1, run);
  for (int threads : {2, 3, 8}) EXPECT_TRUE(same_bits(with_threads(threads, run), one)) << threads;
}

/// f(x), and the gradient of x for a fixed seed.
void expect_same_with_gradient(const Tensor& x, const std::function<Tensor()>& f) {
  expect_same_for_any_threads([&] {
    x.set_grad({});
    const Tensor y = f();
    y.backward(random_normal(y.shape(), y.dtype(), 9));
    return cat({y.detach().reshape({-1}), x.grad().reshape({-1})});
  });
}

TEST(Threads, Elementwise) {
  const Tensor x = random_normal({301, 503}, f32);
  const Tensor row = random_normal({503}, f32, 2);
  expect_same_for_any_threads([&] { return exp(x); });
  expect_same_for_any_threads([&] { return x.transpose(0, 1) * row.unsqueeze(1); });
  expect_same_for_any_threads([&] { return where(x > 0, x, row); });
  expect_same_for_any_threads([&] { return x.transpose(0, 1).clone(); });
  expect_same_for_any_threads([&] { return x.to(f64).add_(row, 0.5); });
}

TEST(Threads, Softmax) {
  const Tensor x = random_normal({501, 67}, f32).requires_grad_();
  const Tensor lens = random_indices(68, {501});
  expect_same_with_gradient(x, [&] { return softmax(x); });
  expect_same_with_gradient(x, [&] { return softmax(x, 0); });
  expect_same_with_gradient(x, [&] { return log_softmax(x); });
  expect_same_with_gradient(x, [&] { return logsumexp(x); });
  expect_same_with_gradient(x, [&] { return masked_softmax(x, lens); });
}

TEST(Threads, Picking) {
  const Tensor x = random_normal({200, 300}, f32).requires_grad_();
  const Tensor index = random_indices(300, {200, 500});
  expect_same_with_gradient(x, [&] { return gather(x, 1, index); });
}

TEST(Threads, LayerNorm) {
  const Tensor x = random_normal({3000, 65}, f32).requires_grad_();
  const Tensor weight = random_normal({65}, f32, 2).requires_grad_();
  expect_same_with_gradient(x, [&] { return layer_norm(x, {65}, {.weight = weight}); });
  expect_same_with_gradient(weight, [&] { return layer_norm(x.detach(), {65}, {.weight = weight}); });
}

/// The sum that training takes most often.
TEST(Threads, BiasGradient) {
  const Tensor bias = zeros({1100}).requires_grad_();
  const Tensor x = random_normal({700, 1100}, f32);
  expect_same_with_gradient(bias, [&] { return x + bias; });
}

}  // namespace
}  // namespace heed::test
