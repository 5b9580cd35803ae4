// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "order_task.h"

#include <algorithm>
#include <array>

namespace heed::tour {
namespace {

constexpr std::int64_t kA = 0, kB = 1, kTokens = 4;  // the tokens from 2 on are filler
constexpr std::int64_t kHidden = 16;

struct Examples {
  Tensor tokens;    ///< (n, kOrderLength)
  Tensor a_before;  ///< (n,): 1 if A comes before B
};

using Sequence = std::array<std::int64_t, kOrderLength>;

/// Filler, with A and B at two different places.
Sequence random_sequence(Generator& generator) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(generator.next() % static_cast<std::uint64_t>(n));
  };
  Sequence sequence;
  for (std::int64_t& token : sequence) token = 2 + below(kTokens - 2);
  const std::int64_t a = below(kOrderLength), b = (a + 1 + below(kOrderLength - 1)) % kOrderLength;
  sequence[static_cast<std::size_t>(a)] = kA;
  sequence[static_cast<std::size_t>(b)] = kB;
  return sequence;
}

/// `pairs` sequences, each followed by its mirror image, in which A and B have changed sides.
Examples make_examples(std::int64_t pairs, Generator& generator) {
  std::vector<std::int64_t> tokens, labels;
  for (std::int64_t n = 0; n < pairs; ++n) {
    const Sequence sequence = random_sequence(generator);
    tokens.insert(tokens.end(), sequence.begin(), sequence.end());
    tokens.insert(tokens.end(), sequence.rbegin(), sequence.rend());
    const bool a_first =
        std::find(sequence.begin(), sequence.end(), kA) < std::find(sequence.begin(), sequence.end(), kB);
    labels.insert(labels.end(), {a_first, !a_first});
  }
  return {from_vector(tokens, {2 * pairs, kOrderLength}), from_vector(labels, {2 * pairs})};
}

/// Embedding, positions if asked for, one layer of self-attention, mean over the sequence, two classes.
class Classifier final : public nn::Module {
 public:
  explicit Classifier(Encoding encoding) : encoding_(encoding) {}

  Tensor operator()(const Tensor& tokens) {
    const Tensor embedded = embed_(tokens);
    const Tensor x = encoding_ == Encoding::kLearned ? encode_(embedded) : embedded;
    return classify_(mean(relu(attend_(x)), 1));
  }

  std::string type_name() const override { return "Classifier"; }
  void visit(Visitor& visitor) override {
    visitor.module("embed", embed_);
    if (encoding_ == Encoding::kLearned) visitor.module("encode", encode_);
    visitor.module("attend", attend_);
    visitor.module("classify", classify_);
  }

 private:
  Encoding encoding_;
  nn::Embedding embed_{{.num_embeddings = kTokens, .embedding_dim = kHidden}};
  nn::LearnedPositionalEncoding encode_{{.num_hiddens = kHidden, .max_len = kOrderLength}};
  nn::SelfAttention attend_{{.hidden = kHidden, .heads = 2}};
  nn::Linear classify_{{.in_features = kHidden, .out_features = 2}};
};

}  // namespace

Positions::Learned learn_order(Encoding encoding, std::uint64_t seed) {
  heed::seed(seed);
  Generator generator(seed);
  const Examples training = make_examples(64, generator), test = make_examples(100, generator);
  Classifier net(encoding);
  optim::Adam adam(net.parameters(), {.lr = 0.01});
  Positions::Learned learned;
  for (int step = 0; step <= kOrderSteps; ++step) {
    const Tensor loss = cross_entropy(net(training.tokens), training.a_before);
    learned.losses.push_back(loss.item());
    if (step == kOrderSteps) break;
    adam.zero_grad();
    loss.backward();
    adam.step();
  }
  const NoGrad guard;
  learned.accuracy = mean((argmax(net(test.tokens), -1) == test.a_before).to(f64)).item();
  return learned;
}

}  // namespace heed::tour
