// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of modules in .safetensors files, our own and PyTorch's.
#include "support/errors.h"
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::nn {
namespace {

using test::Folder;
using Names = std::vector<std::string>;

std::string golden_path(const std::string& name) { return HEED_TESTS_DIR "/golden/" + name; }

void expect_same_state(const Module& a, const Module& b) {
  const Module::State expected = b.state();
  for (const auto& [name, x] : a.state()) EXPECT_TRUE(test::same_bits(x, expected.at(name))) << name;
}

TEST(StateFile, RoundTrip) {
  const Folder folder;
  const MultiHeadAttention source({.hidden = 6, .heads = 2, .bias = true});
  save(source, folder / "m.safetensors");
  MultiHeadAttention target({.hidden = 6, .heads = 2, .bias = true});
  const LoadReport report = load(target, folder / "m.safetensors");
  EXPECT_TRUE(report.missing.empty() && report.unexpected.empty());
  expect_same_state(source, target);
  EXPECT_TRUE(target.W_q.weight.requires_grad());
  EXPECT_EQ(load_all(folder / "m.safetensors").size(), 8U);
}

TEST(StateFile, EveryMisfitIsListedAndNothingChanges) {
  const Folder folder;
  save_all(folder / "m.safetensors",
           {{"weight", ones({2, 9})}, {"extra", ones({1})}, {"another", ones({1})}});
  Linear linear({.in_features = 3, .out_features = 2});
  const Linear before = clone(linear);
  test::expect_error(
      [&] { load(linear, folder / "m.safetensors"); },
      (folder / "m.safetensors") +
          ": Linear: load_state: the state does not fit; missing: bias; unexpected: another, extra; of "
          "wrong shape or type: weight (expected f32 (2, 3), found f32 (2, 9))");
  test::expect_error([&] { load(linear, folder / "m.safetensors", {.strict = false}); },
                     "the state does not fit; of wrong shape or type: weight");
  expect_same_state(linear, before);
}

TEST(StateFile, WithoutStrictnessNamesAreReported) {
  const Folder folder;
  save_all(folder / "m.safetensors", {{"weight", full({2, 3}, 7)}, {"extra", ones({1})}});
  Linear linear({.in_features = 3, .out_features = 2});
  const Tensor bias = linear.bias.clone();
  const LoadReport report = load(linear, folder / "m.safetensors", {.strict = false});
  EXPECT_EQ(report.missing, (Names{"bias"}));
  EXPECT_EQ(report.unexpected, (Names{"extra"}));
  EXPECT_TRUE(test::same_bits(linear.weight.detach(), full({2, 3}, 7)));
  EXPECT_TRUE(test::same_bits(linear.bias.detach(), bias.detach()));
}

TEST(StateFile, HalfPrecisionFilesLoadIntoF64) {
  const Folder folder;
  const std::string json = R"({"weight":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]}})";
  const std::string path =
      folder.file("m.safetensors", test::safetensors(json, std::string("\x00\x3E\x00\xC0", 4)));
  Linear linear({.in_features = 2, .out_features = 1, .bias = false, .dtype = f64});
  load(linear, path);
  EXPECT_TRUE(test::same_bits(linear.weight.detach(), tensor({{1.5, -2}}, f64)));
}

TEST(StateFile, PyTorchsMultiheadAttention) {
  MultiHeadAttention attention({.hidden = 8, .heads = 2, .bias = true});
  load(attention, golden_path("torch_attention.safetensors"));
  const auto numbers = load_all(golden_path("torch_attention_io.safetensors"));
  const Tensor memory = numbers.at("memory");
  const Tensor out = attention(numbers.at("query"), memory, memory);
  EXPECT_TRUE(test::near(out.detach(), numbers.at("out"), 2e-6));
  EXPECT_TRUE(test::near(attention.attention_weights(), numbers.at("weights"), 2e-6));
}

/// Two attentions below one module, as a transformer's layers lie.
class Pair final : public Module {
 public:
  std::string type_name() const override { return "Pair"; }
  void visit(Visitor& visitor) override {
    visitor.module("first", first);
    visitor.module("second", second);
  }
  MultiHeadAttention first{{.hidden = 8, .heads = 2, .bias = true}};
  MultiHeadAttention second{{.hidden = 8, .heads = 2, .bias = true, .key_size = 3, .value_size = 5}};
};

TEST(StateFile, PyTorchsNamesAtAnyDepth) {
  const Folder folder;
  Module::State state;
  for (const auto& [name, x] : load_all(golden_path("torch_attention.safetensors"))) {
    state["first." + name] = x;
    state["second." + name] = x;
  }
  state.erase("second.in_proj_weight");
  state["second.q_proj_weight"] = ones({8, 8});
  state["second.k_proj_weight"] = ones({8, 3});
  state["second.v_proj_weight"] = ones({8, 5});
  save_all(folder / "m.safetensors", state);
  Pair pair;
  load(pair, folder / "m.safetensors");
  MultiHeadAttention lone({.hidden = 8, .heads = 2, .bias = true});
  load(lone, golden_path("torch_attention.safetensors"));
  expect_same_state(pair.first, lone);
  EXPECT_TRUE(test::same_bits(pair.second.W_v.weight.detach(), ones({8, 5})));
}

TEST(StateFile, PyTorchsStateOfAnotherSize) {
  MultiHeadAttention wide({.hidden = 16, .heads = 2});
  test::expect_error([&] { load(wide, golden_path("torch_attention.safetensors")); },
                     "unexpected: W_k.bias, W_o.bias, W_q.bias, W_v.bias; of wrong shape or type: W_k.weight "
                     "(expected f32 (16, 16), found f32 (8, 8))");
}

TEST(StateFile, Errors) {
  Linear linear({.in_features = 3, .out_features = 2});
  test::expect_errors({
      {[&] { save(linear, "m.npz"); },
       "Linear: save: expected a path that ends in .safetensors, found m.npz"},
      {[&] { load(linear, "m.pt"); },
       "Linear: load: expected a path that ends in .safetensors or .npz, found m.pt"},
      {[&] { load(linear, "gone.safetensors"); }, "gone.safetensors: cannot open"},
  });
}

}  // namespace
}  // namespace heed::nn
