// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed multi-head and its kin: what they refuse. Their numbers are compared with numpy's in layers.py.
#include "cli/bad_input.h"

namespace heed::test {
namespace {

class Layers : public BadInput {
 protected:
  Layers() {
    const Tensor W = heed::ones({4, 3});
    heed::save_all(
        folder / "p.npz",
        {{"W_q.weight", W}, {"W_k.weight", W}, {"W_v.weight", W}, {"W_o.weight", heed::ones({4, 4})}});
    heed::save_all(folder / "some.npz", {{"W_q.weight", W}, {"W_k.weight", W}, {"W_v.weight", W}});
  }
  std::string call = "multi-head --queries q.npy --keys k.npy --values k.npy ";
};

TEST_F(Layers, NamesWhatParametersLack) {
  expect_refused(call + "--params q.npy --heads 2", {"q.npy"});
  expect_refused(call + "--params gone.npz --heads 2", {"gone.npz", "No such file"});
  expect_refused(call + "--params some.npz --heads 2", {"some.npz", "W_o.weight"});
  expect_refused("attention-layer --queries q.npy --keys k.npy --values k.npy --params p.npz",
                 {"p.npz: no tensor 'linears.0.weight'"});
  expect_refused(call + "--params p.npz --heads 3", {"heads", "3"});
  expect_refused("multi-head --queries q.npy --keys v.npy --values v.npy --params p.npz --heads 2",
                 {"keys", "(4, 5)"});
  expect_refused(call + "--params p.npz --heads 2 --valid-lens 9", {"valid_lens[0] is 9, expected 0..4"});
  expect_wrong_usage(call + "--heads 2", "--params");
  expect_wrong_usage(call + "--params p.npz", "--heads");
  expect_wrong_usage(call + "--params p.npz --heads 2 --out a.npy --weights a.npy", "it is the same file");
}

TEST_F(Layers, DrawsAndPrints) {
  const Result r = run(call + "--params p.npz --heads 2 --heatmap -");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(r.out.starts_with("tensor(")) << r.out;
  EXPECT_TRUE(has(r.out, "keys")) << r.out;
  EXPECT_EQ(lines(run(call + "--params p.npz --heads 2").out), 2);
  EXPECT_EQ(run("bmm q.npy k.npy").code, 1);
  EXPECT_EQ(run("masked-softmax q.npy --valid-lens 1,4").code, 1);
}

TEST_F(Layers, PackPutsFilesTogether) {
  const Result r = run("pack a=q.npy b=p.npz:W_q.weight c=good.csv:y --out all.safetensors");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(heed::load(folder / "all.safetensors:c").to_vector(), (std::vector<double>{10, 20, 25, 50}));
  EXPECT_EQ(heed::load(folder / "all.safetensors:b").shape(), (heed::Shape{4, 3}));
  expect_wrong_usage("pack a=q.npy", "--out");
  expect_wrong_usage("pack a --out x.npz", "is not NAME=FILE");
  EXPECT_EQ(run("pack a=q.npy a=k.npy --out x.npz").code, 2);
}

}  // namespace
}  // namespace heed::test
