// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The printed tree, compared with what PyTorch prints for the same modules.
#include <gtest/gtest.h>
#include <heed/heed.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace heed::nn {
namespace {

std::string printed(const Module& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

TEST(Printing, MultiHeadAttentionAsInTheNotes) {
  std::ifstream file(HEED_TESTS_DIR "/golden/multi_head_attention_tree.txt");
  std::string expected(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(expected.empty());
  expected.pop_back();  // the last end of line
  MultiHeadAttention attention({.hidden = 100, .heads = 5, .dropout = 0.5});
  attention.eval();
  EXPECT_EQ(printed(attention), expected);
}

TEST(Printing, Leaves) {
  EXPECT_EQ(printed(Linear({.in_features = 3, .out_features = 4})),
            "Linear(in_features=3, out_features=4, bias=True)");
  EXPECT_EQ(printed(Embedding({.num_embeddings = 7, .embedding_dim = 3})), "Embedding(7, 3)");
  EXPECT_EQ(printed(LayerNorm({.normalized_shape = {3, 5}})),
            "LayerNorm((3, 5), eps=1e-05, elementwise_affine=True, bias=True)");
  EXPECT_EQ(printed(LayerNorm({.normalized_shape = {4}, .epsilon = 1e-12})),
            "LayerNorm((4,), eps=1e-12, elementwise_affine=True, bias=True)");
  EXPECT_EQ(printed(NWKernelRegression()), "NWKernelRegression()");
  EXPECT_EQ(printed(ModuleList<Linear>()), "ModuleList()");
}

TEST(Printing, NumbersAsPythonWritesThem) {
  const auto dropout = [](double p) { return printed(Dropout({.p = p})); };
  EXPECT_EQ(dropout(0), "Dropout(p=0.0, inplace=False)");
  EXPECT_EQ(dropout(1), "Dropout(p=1.0, inplace=False)");
  EXPECT_EQ(dropout(0.1), "Dropout(p=0.1, inplace=False)");
  EXPECT_EQ(dropout(1e-7), "Dropout(p=1e-07, inplace=False)");
  EXPECT_EQ(dropout(0.0001), "Dropout(p=0.0001, inplace=False)");
}

TEST(Printing, AdditiveAttentionInTheOrderOfTheNotes) {
  EXPECT_EQ(printed(AdditiveAttention({.key_size = 2, .query_size = 20, .num_hiddens = 8, .dropout = 0.1})),
            R"(AdditiveAttention(
  (W_k): Linear(in_features=2, out_features=8, bias=False)
  (W_q): Linear(in_features=20, out_features=8, bias=False)
  (w_v): Linear(in_features=8, out_features=1, bias=False)
  (dropout): Dropout(p=0.1, inplace=False)
))");
}

TEST(Printing, ListsCountRunsOfEqualChildren) {
  EXPECT_EQ(printed(AttentionLayer({.d_k = 4, .d_input = 6})), R"(AttentionLayer(
  (linears): ModuleList(
    (0-2): 3 x Linear(in_features=6, out_features=4, bias=True)
    (3): Linear(in_features=4, out_features=4, bias=True)
  )
))");
  EXPECT_EQ(printed(AttentionLayer({.d_k = 4, .d_input = 4})), R"(AttentionLayer(
  (linears): ModuleList(
    (0-3): 4 x Linear(in_features=4, out_features=4, bias=True)
  )
))");
}

/// Options and children, lists of modules that have children of their own.
class Everything : public Module {
 public:
  Everything() {
    for (int i = 0; i < 2; ++i) blocks.push_back(AttentionLayer({.d_k = 4, .d_input = 6}));
  }
  std::string type_name() const override { return "B"; }
  std::string options_text() const override { return "x=1, y=2"; }
  void visit(Visitor& visitor) override {
    visitor.module("blocks", blocks);
    visitor.module("encoding", encoding);
    visitor.module("e", empty);
  }
  ModuleList<AttentionLayer> blocks;
  LearnedPositionalEncoding encoding{{.num_hiddens = 4}};
  ModuleList<Linear> empty;
};

TEST(Printing, NestsAsPyTorchDoes) {
  EXPECT_EQ(printed(Everything()), R"(B(
  x=1, y=2
  (blocks): ModuleList(
    (0-1): 2 x AttentionLayer(
      (linears): ModuleList(
        (0-2): 3 x Linear(in_features=6, out_features=4, bias=True)
        (3): Linear(in_features=4, out_features=4, bias=True)
      )
    )
  )
  (encoding): LearnedPositionalEncoding(
    (dropout): Dropout(p=0.0, inplace=False)
  )
  (e): ModuleList()
))");
}

TEST(Printing, SelfAttentionIsAMultiHeadAttentionByAnotherName) {
  const std::string self = printed(SelfAttention({.hidden = 4, .heads = 2, .bias = true}));
  const std::string heads = printed(MultiHeadAttention({.hidden = 4, .heads = 2, .bias = true}));
  EXPECT_EQ(self.substr(self.find('(')), heads.substr(heads.find('(')));
  EXPECT_EQ(self.substr(0, self.find('(')), "SelfAttention");
}

}  // namespace
}  // namespace heed::nn
