// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Every module, differentiated by its inputs and by each of its parameters, against central differences in f64.
#include "support/gradcheck.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <functional>

namespace heed::nn {
namespace {

using test::random_normal;

/// Puts tensors in the place of a module's parameters, in their order.
class Replace final : public Module::Visitor {
 public:
  explicit Replace(const std::vector<Tensor>& tensors) : tensors_(tensors) {}
  void parameter(const std::string&, Tensor& tensor) override {
    if (tensor.defined()) tensor = tensors_.at(next_++);
  }
  void module(const std::string&, Module& child) override { child.visit(*this); }

 private:
  const std::vector<Tensor>& tensors_;
  std::size_t next_ = 0;
};

/// Checks forward(module, inputs) as a function of the module's parameters and the inputs.
template <class M>
testing::AssertionResult module_gradients_match(
    M module, const std::function<Tensor(M&, const std::vector<Tensor>&)>& forward,
    const std::vector<Tensor>& inputs) {
  module.to(f64);
  std::vector<Tensor> all = module.parameters();
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  for (Tensor& parameter : all) parameter = parameter.detach();
  all.insert(all.end(), inputs.begin(), inputs.end());
  return test::gradients_match(
      [&](const std::vector<Tensor>& x) {
        Replace replace(x);
        module.visit(replace);
        return forward(module, std::vector<Tensor>(x.begin() + count, x.end()));
      },
      all);
}

template <class M>
Tensor self(M& module, const std::vector<Tensor>& x) {
  return module(x[0]);
}

class ModuleGradients : public testing::Test {
 protected:
  void SetUp() override { seed(21); }
};

TEST_F(ModuleGradients, Linear) {
  EXPECT_TRUE(module_gradients_match<Linear>(Linear({.in_features = 3, .out_features = 2}), self<Linear>,
                                             {random_normal({2, 2, 3})}));
  EXPECT_TRUE(module_gradients_match<Linear>(Linear({.in_features = 3, .out_features = 4, .bias = false}),
                                             self<Linear>, {random_normal({3})}));
}

TEST_F(ModuleGradients, Embedding) {
  EXPECT_TRUE(module_gradients_match<Embedding>(Embedding({.num_embeddings = 4, .embedding_dim = 3}),
                                                self<Embedding>, {tensor({{1, 3}, {1, 0}}, i64)}));
}

TEST_F(ModuleGradients, LayerNorm) {
  EXPECT_TRUE(module_gradients_match<LayerNorm>(LayerNorm({.normalized_shape = {5}}), self<LayerNorm>,
                                                {random_normal({3, 5})}));
}

TEST_F(ModuleGradients, Dropout) {
  EXPECT_TRUE(module_gradients_match<Dropout>(Dropout({.p = 0.4}),
                                              [](Dropout& dropout, const std::vector<Tensor>& x) {
                                                seed(6);
                                                return dropout(x[0]);
                                              },
                                              {random_normal({4, 5})}));
}

TEST_F(ModuleGradients, PositionalEncodings) {
  EXPECT_TRUE(module_gradients_match<PositionalEncoding>(
      PositionalEncoding({.num_hiddens = 3}), self<PositionalEncoding>, {random_normal({2, 4, 3})}));
  EXPECT_TRUE(module_gradients_match<LearnedPositionalEncoding>(
      LearnedPositionalEncoding({.num_hiddens = 3, .max_len = 5}), self<LearnedPositionalEncoding>,
      {random_normal({2, 4, 3})}));
}

TEST_F(ModuleGradients, NWKernelRegression) {
  const auto forward = [](NWKernelRegression& net, const std::vector<Tensor>& x) {
    return net(x[0], x[1], x[2]);
  };
  const Tensor queries = random_normal({3}, f64, 1);
  for (const Shape& keys : {Shape{3, 5}, Shape{5}}) {
    for (const Shape& values : {Shape{3, 5}, Shape{5}}) {
      EXPECT_TRUE(module_gradients_match<NWKernelRegression>(
          NWKernelRegression(), forward,
          {queries, random_normal(keys, f64, 2), random_normal(values, f64, 3)}))
          << keys << " " << values;
    }
  }
}

/// Masks that leave some keys to nobody and some queries nothing.
std::vector<Mask> masks() {
  return {{},
          valid_lens({3, 0}),
          valid_lens({{1, 4}, {0, 2}}),
          causal(Align::kTopLeft),
          causal(Align::kBottomRight)};
}

/// Checks a module of queries (2, 2, 3), keys (2, 4, 4) and values (2, 4, 3) under each mask and with dropout.
template <class M>
void expect_attention_gradients(const M& module, const Shape& keys, const Shape& values) {
  const std::vector<Tensor> inputs = {random_normal({2, 2, 3}, f64, 1), random_normal(keys, f64, 2),
                                      random_normal(values, f64, 3)};
  int n = 0;
  for (const Mask& mask : masks()) {
    EXPECT_TRUE(module_gradients_match<M>(
        clone(module),
        [&](M& m, const std::vector<Tensor>& x) {
          seed(31);  // the same dropout each time
          return m(x[0], x[1], x[2], mask);
        },
        inputs))
        << "mask " << n++ << " of " << module;
  }
}

TEST_F(ModuleGradients, DotProductAttention) {
  for (double dropout : {0.0, 0.4}) {
    expect_attention_gradients(DotProductAttention({.dropout = dropout}), {2, 4, 3}, {2, 4, 5});
  }
}

TEST_F(ModuleGradients, AdditiveAttention) {
  for (double dropout : {0.0, 0.4}) {
    expect_attention_gradients(
        AdditiveAttention({.key_size = 4, .query_size = 3, .num_hiddens = 2, .dropout = dropout}), {2, 4, 4},
        {2, 4, 3});
  }
}

TEST_F(ModuleGradients, AttentionLayer) {
  expect_attention_gradients(AttentionLayer({.d_k = 2, .d_input = 3}), {2, 4, 3}, {2, 4, 3});
}

TEST_F(ModuleGradients, MultiHeadAttention) {
  for (double dropout : {0.0, 0.4}) {
    expect_attention_gradients(MultiHeadAttention({.hidden = 4,
                                                   .heads = 2,
                                                   .dropout = dropout,
                                                   .bias = true,
                                                   .query_size = 3,
                                                   .key_size = 4,
                                                   .value_size = 5}),
                               {2, 4, 4}, {2, 4, 5});
  }
}

TEST_F(ModuleGradients, SelfAttention) {
  for (const Mask& mask : {Mask{}, valid_lens({3, 1}), causal()}) {
    EXPECT_TRUE(module_gradients_match<SelfAttention>(
        SelfAttention({.hidden = 4, .heads = 2, .input_size = 3}),
        [&](SelfAttention& m, const std::vector<Tensor>& x) { return m(x[0], mask); },
        {random_normal({2, 3, 3})}));
  }
  EXPECT_TRUE(module_gradients_match<SelfAttention>(SelfAttention({.hidden = 4, .heads = 2}),
                                                    self<SelfAttention>, {random_normal({3, 4})}));
}

TEST_F(ModuleGradients, AWrongGradientWouldBeFound) {
  // The same module with its keys cut off the tape.
  EXPECT_FALSE(module_gradients_match<DotProductAttention>(
      DotProductAttention(),
      [](DotProductAttention& m, const std::vector<Tensor>& x) { return m(x[0], x[1].detach(), x[1]); },
      {random_normal({2, 3}, f64, 1), random_normal({4, 3}, f64, 2)}));
}

}  // namespace
}  // namespace heed::nn
