// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Multi-head self-attention learns to find: each position must answer with the value of the one marked position.
#include <heed/heed.h>

#include <cstdio>
#include <iostream>
#include <vector>

using namespace heed;

namespace {

constexpr std::int64_t kBatch = 32, kLength = 8, kWidth = 16;

struct Batch {
  Tensor x;       // (B, L, width): feature 0 marks one position, feature 1 is its value
  Tensor target;  // (B, L, 1): the marked value, at every position
};

Batch make_batch() {
  const Tensor features = normal({kBatch, kLength, kWidth});
  const Tensor marked = argmax(rand({kBatch, kLength}), 1, keepdims) == arange(kLength, i64);
  const Tensor mark = marked.to(f32).unsqueeze(-1);
  const Tensor value = features.slice(2, {.start = 1, .stop = 2});
  const Tensor target = sum(mark * value, 1, keepdims).expand({kBatch, kLength, 1});
  return {cat({4 * mark, features.slice(2, {.start = 1})}, 2), target};
}

}  // namespace

int main() {
  seed(3);
  nn::SelfAttention attention({.hidden = kWidth, .heads = 2});
  nn::Linear read({.in_features = kWidth, .out_features = 1});
  std::cout << attention << '\n' << read << "\n\n";

  std::vector<Tensor> parameters = attention.parameters();
  for (const Tensor& p : read.parameters()) parameters.push_back(p);
  optim::Adam adam(parameters, {.lr = 0.01});

  double first_loss = 0, last_loss = 0;
  for (int step = 0; step <= 200; ++step) {
    const Batch batch = make_batch();
    const Tensor loss = mse_loss(read(attention(batch.x)), batch.target);
    adam.zero_grad();
    loss.backward();
    optim::clip_grad_norm(parameters, 1.0);
    adam.step();
    if (step == 0) first_loss = loss.item();
    last_loss = loss.item();
    if (step % 50 == 0) std::printf("step %3d  loss %.4f\n", step, last_loss);
  }

  // Where does each head of the last query look? Weights are computed now, because asked for.
  const NoGrad guard;
  const Batch batch = make_batch();
  attention(batch.x);
  const Tensor weights = attention.attention_weights({.rows = {-1}})[1].squeeze(1);
  std::printf("\nin one sequence, position %ld is marked; the last position looks at\n",
              static_cast<long>(argmax(batch.x.select(2, 0), 1)[1].item<std::int64_t>()));
  for (std::int64_t head = 0; head < 2; ++head) {
    std::printf("head %ld ", static_cast<long>(head));
    for (double weight : weights[head].to_vector()) std::printf(" %.3f", weight);
    std::printf("\n");
  }
  return last_loss < 0.3 * first_loss ? 0 : 1;
}
