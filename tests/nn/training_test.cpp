// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Small problems that modules and optimisers must solve together.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <cmath>

namespace heed::nn {
namespace {

TEST(Training, KernelRegressionSharpens) {
  // The notes' experiment: y = 2 sin x + x^0.8 + noise, each point predicted from all others.
  seed(1);
  const Tensor x = rand({50}) * 5;
  const Tensor y = 2 * sin(x) + pow(x, 0.8) + normal({50}, {.stddev = 0.5});
  const Tensor keys = leave_one_out(x), values = leave_one_out(y);
  NWKernelRegression net;
  no_grad([&] { net.w.fill_(0.5); });
  optim::SGD sgd(net.parameters(), {.lr = 0.5});
  const auto loss = [&] { return mean(l2_loss(net(x, keys, values), y)); };
  const double before = loss().item();
  for (int epoch = 0; epoch < 50; ++epoch) {
    sgd.zero_grad();
    loss().backward();
    sgd.step();
  }
  EXPECT_LT(loss().item(), 0.5 * before);
  EXPECT_GT(std::abs(net.w.item()), 1.0);
}

/// Sequences of two different tokens, to be told apart by which comes first: hopeless without positions.
struct OrderTask {
  Tensor tokens = tensor({{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}}, i64);
  Tensor target = tensor({0, 1, 0, 1, 0, 1}, i64);
};

/// Embedding, positions if any, self-attention, mean over positions, two classes.
class Classifier : public Module {
 public:
  explicit Classifier(bool with_positions) : with_positions_(with_positions) {}

  Tensor operator()(const Tensor& tokens) {
    const Tensor x = embedding(tokens);
    return head(mean(relu(attention(with_positions_ ? positions(x) : x)), 1));
  }

  std::string type_name() const override { return "Classifier"; }
  void visit(Visitor& visitor) override {
    visitor.module("embedding", embedding);
    if (with_positions_) visitor.module("positions", positions);
    visitor.module("attention", attention);
    visitor.module("head", head);
  }

  Embedding embedding{{.num_embeddings = 3, .embedding_dim = 8}};
  LearnedPositionalEncoding positions{{.num_hiddens = 8, .max_len = 2}};
  SelfAttention attention{{.hidden = 8, .heads = 2}};
  Linear head{{.in_features = 8, .out_features = 2}};

 private:
  bool with_positions_;
};

double loss_after_training(Classifier& net, const OrderTask& task) {
  optim::Adam adam(net.parameters(), {.lr = 0.02});
  for (int epoch = 0; epoch < 300; ++epoch) {
    adam.zero_grad();
    cross_entropy(net(task.tokens), task.target).backward();
    adam.step();
  }
  return cross_entropy(net(task.tokens), task.target).item();
}

TEST(Training, LearnedPositionsTellOrder) {
  seed(2);
  const OrderTask task;
  Classifier net(true);
  EXPECT_LT(loss_after_training(net, task), 0.05);
}

TEST(Training, WithoutPositionsOrderCannotBeTold) {
  seed(2);
  const OrderTask task;
  Classifier net(false);
  EXPECT_NEAR(loss_after_training(net, task), std::log(2.0), 1e-3);
}

TEST(Training, AdditiveAttentionFindsTheRightKey) {
  // Each value is to be looked up by its key; queries are the keys turned round.
  seed(3);
  AdditiveAttention attention({.key_size = 2, .query_size = 2, .num_hiddens = 16});
  const Tensor keys = tensor({{1, 0}, {0, 1}, {-1, 0}, {0, -1}});
  const Tensor values = tensor({{1}, {2}, {3}, {4}});
  optim::AdamW adamw(attention.parameters(), {.lr = 0.05, .weight_decay = 0});
  const auto loss = [&] { return mse_loss(attention(-keys, keys, values), tensor({{3}, {4}, {1}, {2}})); };
  for (int epoch = 0; epoch < 300; ++epoch) {
    adamw.zero_grad();
    loss().backward();
    adamw.step();
  }
  EXPECT_LT(loss().item(), 0.05);
}

}  // namespace
}  // namespace heed::nn
