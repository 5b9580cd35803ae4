// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "order.h"

namespace heed::tour {
namespace {

constexpr std::int64_t kLength = 6;
constexpr int kSteps = 100;

struct Examples {
  Tensor tokens, a_first;
};

/// Sequences of filler with one A and one B, each also backwards; whether A comes first.
Examples examples(std::int64_t pairs) {
  const Tensor place = rand({pairs, kLength});
  const Tensor a = argmax(place, -1), b = argmax(-place, -1);
  const Tensor at = arange(kLength, i64);
  const Tensor filler = 2 + (rand({pairs, kLength}) < 0.5).to(i64);
  const Tensor zero = zeros({1}, i64), one = ones({1}, i64);
  const Tensor tokens = where(at == a.unsqueeze(1), zero, where(at == b.unsqueeze(1), one, filler));
  const Tensor a_first = (a < b).to(i64);
  return {.tokens = cat({tokens, tokens.slice(1, {.step = -1})}, 0),
          .a_first = cat({a_first, 1 - a_first}, 0)};
}

class Classifier final : public nn::Module {
 public:
  Classifier(bool positions, Mask mask) : positions_(positions), mask_(std::move(mask)) {}

  Tensor operator()(const Tensor& tokens) {
    Tensor x = embed_(tokens);
    if (positions_) x = encode_(x);
    return classify_(mean(relu(attend_(x, mask_)), 1));
  }

  std::string type_name() const override { return "Classifier"; }
  void visit(Visitor& visitor) override {
    visitor.module("embed", embed_);
    visitor.module("encode", encode_);
    visitor.module("attend", attend_);
    visitor.module("classify", classify_);
  }

 private:
  bool positions_;
  Mask mask_;
  nn::Embedding embed_{{.num_embeddings = 4, .embedding_dim = 16}};
  nn::LearnedPositionalEncoding encode_{{.num_hiddens = 16, .max_len = kLength}};
  nn::SelfAttention attend_{{.hidden = 16, .heads = 2}};
  nn::Linear classify_{{.in_features = 16, .out_features = 2}};
};

Learned learn(const std::string& name, bool positions, const Mask& mask, std::uint64_t seed) {
  heed::seed(seed);
  const Examples training = examples(64), test = examples(100);
  Classifier net(positions, mask);
  optim::Adam adam(net.parameters(), {.lr = 0.01});
  Learned learned{.name = name, .losses = {}, .right = 0};
  for (int step = 0; step <= kSteps; ++step) {
    const Tensor loss = cross_entropy(net(training.tokens), training.a_first);
    learned.losses.push_back(loss.item());
    if (step == kSteps) break;
    adam.zero_grad();
    loss.backward();
    adam.step();
  }
  learned.right = mean((argmax(net(test.tokens), -1) == test.a_first).to(f64)).item();
  return learned;
}

}  // namespace

Order run_order(std::uint64_t seed) {
  return {.without = learn("without positions", false, Mask(), seed),
          .causal = learn("without positions, with a causal mask", false, causal(), seed),
          .with = learn("with learned positions", true, Mask(), seed)};
}

void print(std::ostream& out, const Order& order) {
  for (const Learned& learned : {order.without, order.causal, order.with}) {
    const auto count = static_cast<std::int64_t>(learned.losses.size());
    const Tensor losses = from_vector(learned.losses, {count}).to(f32);
    out << learned.name << '\n';
    out << "  loss at steps 0, 25, … 100: " << losses.slice(0, {.step = 25}) << '\n';
    out << "  right on new sequences: " << learned.right << '\n';
  }
}

void show(Page& page, const Order& order) {
  page.question(
      "Does A come before B? Six tokens decide it, and each sequence also comes backwards. What does a "
      "network need to "
      "learn this?");
  page.formula("y = W mean(relu(attention(x + P)))");
  page.note(
      "The same small network is trained three times for 100 steps: on the tokens alone, on the tokens under "
      "a causal mask, "
      "where each position sees only those before it, and with a learned vector added for each position.");
  page.output(order);
  const auto loss = [](const char* name, const Learned& learned) -> viz::Series {
    const auto count = static_cast<std::int64_t>(learned.losses.size());
    return {.name = name, .x = arange(count), .y = from_vector(learned.losses, {count})};
  };
  page.picture(viz::Chart{.series = {loss("no positions", order.without), loss("causal mask", order.causal),
                                     loss("learned positions", order.with)},
                          .title = "Learning which of two tokens comes first",
                          .x_label = "step",
                          .y_label = "loss"});
  page.see(
      "Without positions and without a mask, a sequence and its mirror image are the same to the network, so "
      "it is right "
      "half the time. A causal mask is enough to tell order, because each position sees another part of the "
      "sequence. "
      "Positions tell it without any mask.");
  page.read({.text = "Dive into Deep Learning, 11.6 Self-Attention and Positional Encoding",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/"
                    "self-attention-and-positional-encoding.html"});
  page.read({.text = "Haviv and others, Transformer Language Models without Positional Encodings Still Learn "
                     "Positional "
                     "Information (2022)",
             .url = "https://arxiv.org/abs/2203.16634"});
}

}  // namespace heed::tour
