// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What every module can do: names, state, switches, copies.
#include "support/errors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::nn {
namespace {

/// A tree two levels deep, with a list and a parameter of its own.
class Net : public Module {
 public:
  Net() {
    layers.push_back(Linear({.in_features = 3, .out_features = 2}));
    layers.push_back(Linear({.in_features = 2, .out_features = 2, .bias = false}));
  }
  std::string type_name() const override { return "Net"; }
  void visit(Visitor& visitor) override {
    visitor.parameter("scale", scale);
    visitor.module("layers", layers);
    visitor.module("dropout", dropout);
  }
  Tensor scale = ones({1}).requires_grad_();
  ModuleList<Linear> layers;
  Dropout dropout{{.p = 0.25}};
};

/// One tensor in two places.
class Tied : public Module {
 public:
  Tied() { decoder.weight = encoder.weight; }
  std::string type_name() const override { return "Tied"; }
  void visit(Visitor& visitor) override {
    visitor.module("encoder", encoder);
    visitor.module("decoder", decoder);
  }
  Embedding encoder{{.num_embeddings = 5, .embedding_dim = 3}};
  Linear decoder{{.in_features = 3, .out_features = 5, .bias = false}};
};

std::vector<std::string> names(const Module& module) {
  std::vector<std::string> found;
  for (const auto& [name, parameter] : module.named_parameters()) found.push_back(name);
  return found;
}

TEST(Module, NamesParametersInTheOrderOfDeclaration) {
  const Net net;
  EXPECT_EQ(names(net),
            (std::vector<std::string>{"scale", "layers.0.weight", "layers.0.bias", "layers.1.weight"}));
  EXPECT_EQ(net.parameter_count(), 1 + 6 + 2 + 4);
  EXPECT_EQ(net.parameters().size(), 4U);
  EXPECT_EQ(net.parameters()[1].impl(), net.layers[0].weight.impl());
}

TEST(Module, ParametersRequireAGradientFromTheStart) {
  const NoGrad guard;
  for (const Tensor& parameter : Net().parameters()) EXPECT_TRUE(parameter.requires_grad());
}

TEST(Module, TiedParametersAreListedOnceAndSavedUnderBothNames) {
  const Tied tied;
  EXPECT_EQ(names(tied), std::vector<std::string>{"encoder.weight"});
  EXPECT_EQ(tied.parameter_count(), 15);
  EXPECT_EQ(tied.state().size(), 2U);
}

TEST(Module, CloneAndConversionKeepTies) {
  const Tied tied;
  const Tied copy = clone(tied);
  EXPECT_EQ(copy.encoder.weight.impl(), copy.decoder.weight.impl());
  EXPECT_NE(copy.encoder.weight.impl(), tied.encoder.weight.impl());
  Tied converted = clone(tied);
  converted.to(f64);
  EXPECT_EQ(converted.encoder.weight.impl(), converted.decoder.weight.impl());
}

TEST(Module, StateSharesMemoryAndCarriesNoTape) {
  Net net;
  const Module::State state = net.state();
  EXPECT_FALSE(state.at("scale").requires_grad());
  state.at("scale").fill_(7);
  EXPECT_EQ(net.scale.item(), 7);
}

TEST(Module, LoadStateCopiesValuesAndKeepsTensors) {
  Net from, to;
  const auto before = to.scale.impl();
  from.state().at("scale").fill_(3);
  to.load_state(from.state());
  for (const auto& [name, value] : from.state()) EXPECT_TRUE(identical(to.state().at(name), value)) << name;
  EXPECT_EQ(to.scale.impl(), before);
  EXPECT_TRUE(to.scale.requires_grad());
  from.state().at("scale").fill_(4);
  EXPECT_EQ(to.scale.item(), 3);
}

TEST(Module, LoadStateConvertsBetweenFloatingTypes) {
  Net from, to;
  from.to(f64);
  from.state().at("scale").fill_(1.0 / 3);
  to.load_state(from.state());
  EXPECT_EQ(to.scale.dtype(), f32);
  EXPECT_EQ(to.scale.item<float>(), 1.0F / 3);
}

TEST(Module, LoadStateListsEverythingThatDoesNotFitAndChangesNothing) {
  Net net;
  const Net before = clone(net);
  Module::State state = clone(net).state();
  state.at("scale").fill_(9);
  state.erase("layers.0.bias");
  state["layers.1.weight"] = zeros({2, 3});
  state["layers.0.weight"] = zeros({2, 3}, i64);
  state["layers.2.weight"] = zeros({1});
  state["extra"] = zeros({1});
  test::expect_error(
      [&] { net.load_state(state); },
      "Net: load_state: the state does not fit; missing: layers.0.bias; unexpected: extra, "
      "layers.2.weight; of "
      "wrong shape or type: layers.0.weight (expected f32 (2, 3), found i64 (2, 3)), layers.1.weight "
      "(expected "
      "f32 (2, 2), found f32 (2, 3))");
  for (const auto& [name, value] : before.state())
    EXPECT_TRUE(identical(net.state().at(name), value)) << name;
}

TEST(Module, TwoParametersOfOneNameAreAnErrorOfTheModule) {
  class Twice : public Module {
   public:
    std::string type_name() const override { return "Twice"; }
    void visit(Visitor& visitor) override {
      visitor.parameter("w", a);
      visitor.parameter("w", b);
    }
    Tensor a = zeros({1}), b = zeros({1});
  };
  test::expect_error([] { Twice().state(); }, "Twice: two parameters have the name w");
}

TEST(Module, TrainAndEvalReachEveryChild) {
  Net net;
  EXPECT_TRUE(net.is_training() && net.layers.is_training() && net.dropout.is_training());
  net.eval();
  EXPECT_FALSE(net.is_training() || net.layers.is_training() || net.layers[1].is_training() ||
               net.dropout.is_training());
  net.train();
  EXPECT_TRUE(net.layers[1].is_training() && net.dropout.is_training());
}

TEST(Module, CopiesShareParametersAndClonesDoNot) {
  Net net;
  const Net copy = net;
  const Net own = clone(net);
  net.state().at("scale").fill_(5);
  EXPECT_EQ(copy.scale.item(), 5);
  EXPECT_EQ(own.scale.item(), 1);
}

TEST(Module, ACloneIsFrozenOrTrainingLikeItsOriginalAndHasNoGradients) {
  Net net;
  net.eval();
  net.layers[0].requires_grad_(false);
  (net.scale * 2).backward();
  const Net own = clone(net);
  EXPECT_FALSE(own.is_training());
  EXPECT_FALSE(own.dropout.is_training());
  EXPECT_FALSE(own.layers[0].weight.requires_grad());
  EXPECT_TRUE(own.scale.requires_grad());
  EXPECT_TRUE(own.scale.is_leaf());
  EXPECT_FALSE(own.scale.grad().defined());
}

TEST(Module, ToConvertsEveryParameterAndDropsGradients) {
  Net net;
  (net.scale * 2).backward();
  net.layers[1].requires_grad_(false);
  const Tensor weight = net.layers[0].weight;
  net.to(f64);
  for (const Tensor& parameter : net.parameters()) EXPECT_EQ(parameter.dtype(), f64);
  EXPECT_FALSE(net.scale.grad().defined());
  EXPECT_TRUE(net.scale.requires_grad());
  EXPECT_FALSE(net.layers[1].weight.requires_grad());
  EXPECT_TRUE(identical(net.layers[0].weight.detach().to(f32), weight.detach()));
  EXPECT_EQ(net.layers[0](ones({4, 3}, f64)).dtype(), f64);
}

TEST(Module, ToTheSameTypeChangesNothing) {
  Net net;
  (net.scale * 2).backward();
  const auto before = net.scale.impl();
  net.to(f32);
  EXPECT_EQ(net.scale.impl(), before);
  EXPECT_TRUE(net.scale.grad().defined());
  test::expect_error([&] { net.to(i64); }, "Net: to: parameters can be f32 or f64, found i64");
}

TEST(Module, ZeroGradClearsEveryGradient) {
  Net net;
  sum(net.layers[1](net.layers[0](ones({1, 3}))) * net.scale).backward();
  for (const Tensor& parameter : net.parameters()) EXPECT_TRUE(parameter.grad().defined());
  net.zero_grad();
  for (const Tensor& parameter : net.parameters()) EXPECT_FALSE(parameter.grad().defined());
}

TEST(Module, FrozenParametersGetNoGradient) {
  Net net;
  net.layers[0].requires_grad_(false);
  sum(net.layers[1](net.layers[0](ones({1, 3})))).backward();
  EXPECT_FALSE(net.layers[0].weight.grad().defined());
  EXPECT_TRUE(net.layers[1].weight.grad().defined());
  net.requires_grad_(true);
  EXPECT_TRUE(net.layers[0].weight.requires_grad());
}

TEST(ModuleList, BehavesLikeAVectorOfModules) {
  ModuleList<Linear> list({Linear({.in_features = 1, .out_features = 1})});
  list.push_back(Linear({.in_features = 2, .out_features = 1, .bias = false}));
  EXPECT_EQ(list.size(), 2U);
  EXPECT_EQ(names(list), (std::vector<std::string>{"0.weight", "0.bias", "1.weight"}));
  std::int64_t features = 0;
  for (const Linear& linear : list) features += linear.weight.size(1);
  EXPECT_EQ(features, 3);
}

}  // namespace
}  // namespace heed::nn
