// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// heed encode: the tables it writes, and its pictures.
#include "cli/heed_command.h"
#include "support/files.h"

#include <heed/heed.h>

#include <cmath>

namespace {

using namespace heed::test;
using namespace std::string_literals;

TEST(EncodeCommand, WritesTheSinusoidalTable) {
  const Folder folder;
  const Result r = heed_command("encode --length 7 --width 4 --out '" + folder.path() + "/enc.npy'");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "");
  const heed::Tensor table = heed::load(folder / "enc.npy");
  ASSERT_EQ(table.shape(), heed::Shape({7, 4}));
  for (std::int64_t p = 0; p < 7; ++p) {
    const auto position = static_cast<double>(p);
    EXPECT_NEAR(table.at({p, 0}), std::sin(position), 1e-6);
    EXPECT_NEAR(table.at({p, 1}), std::cos(position), 1e-6);
    EXPECT_NEAR(table.at({p, 2}), std::sin(position / 100), 1e-6);
    EXPECT_NEAR(table.at({p, 3}), std::cos(position / 100), 1e-6);
  }
}

TEST(EncodeCommand, ALearnedTableStartsFromItsSeedOrAFile) {
  const Folder folder;
  const auto table = [&](const std::string& options) {
    const Result r = heed_command("encode --kind learned --length 5 --width 4 " + options + " --out '" +
                                  folder.path() + "/t.npy'");
    EXPECT_EQ(r.code, 0) << r.err;
    return heed::load(folder / "t.npy").to_vector();
  };
  EXPECT_EQ(table("--seed 1"), table("--seed 1"));
  EXPECT_NE(table("--seed 1"), table("--seed 2"));
  heed::nn::LearnedPositionalEncoding saved({.num_hiddens = 4, .max_len = 5});
  heed::nn::save(saved, folder / "p.safetensors");
  EXPECT_EQ(table("--params '" + folder.path() + "/p.safetensors'"), saved.P.detach().to_vector());
}

TEST(EncodeCommand, ReadsBackWhatItWrites) {
  const Folder folder;
  const auto encode = [&](const std::string& arguments) {
    const Result r = heed_command("encode --kind learned " + arguments);
    EXPECT_EQ(r.code, 0) << arguments << r.err;
  };
  for (const char* name : {"p.npy", "p.npz", "p.safetensors", "p.csv"}) {
    SCOPED_TRACE(name);
    const std::string file = "'" + folder / name + "'", again = "'" + folder / "again.npy" + "'";
    encode("--length 5 --width 4 --seed 3 --out " + file);
    const heed::Tensor table = heed::load(folder / name);
    EXPECT_EQ(table.shape(), heed::Shape({5, 4}));
    for (const char* sizes : {"", "--length 5 ", "--length 5 --width 4 "}) {
      encode(std::string(sizes) + "--params " + file + " --out " + again);
      EXPECT_EQ(heed::load(folder / "again.npy").to_vector(), table.to_vector());
    }
    const Result other =
        heed_command("encode --kind learned --length 6 --params " + file + " --out " + again);
    EXPECT_EQ(other.code, 1);
    EXPECT_TRUE(has(other.err, "expected floating numbers of shape (6, width), found")) << other.err;
  }
  heed::nn::LearnedPositionalEncoding module({.num_hiddens = 4, .max_len = 5});
  heed::nn::load(module, folder / "p.safetensors");
  EXPECT_EQ(module.P.detach().to_vector(), heed::load(folder / "p.npy").to_vector());
}

TEST(EncodeCommand, DrawsCurvesAndTheTable) {
  const Folder folder;
  const Result r = heed_command("encode --columns 6,7 --plot '" + folder.path() + "/c.svg' --heatmap '" +
                                folder.path() + "/h.svg'");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(file_bytes(folder / "c.svg"), "Col 6, Col 7, x from 0 to 59"));
  EXPECT_TRUE(has(file_bytes(folder / "h.svg"), "heatmap of 60 × 32 values from -1 to 1"));
}

TEST(EncodeCommand, DrawsOnTheTerminalWhenNothingElseIsAskedFor) {
  EXPECT_TRUE(has(heed_command("encode --length 4 --width 4").out, "Column (encoding dimension)"));
  const Result curves = heed_command("encode --columns 6 --plot -");
  EXPECT_TRUE(has(curves.out, "# Col 6")) << curves.err;
  EXPECT_FALSE(has(curves.out, "Column (encoding"));
}

TEST(EncodeCommand, SaysWhatIsWrong) {
  const Folder folder;
  expect_wrong_usage("encode --length 0", "--length");
  expect_wrong_usage("encode --width x", "--width");
  expect_wrong_usage("encode --seed=-1", "--seed");
  expect_wrong_usage("encode --seed 18446744073709551616", "--seed");
  expect_wrong_usage("encode --columns 1", "only with --plot");
  expect_wrong_usage("encode --columns 99 --plot -", "there is no column 99 among 32");
  expect_wrong_usage("encode --columns a --plot -", "--columns");
  expect_wrong_usage("encode --params x.safetensors", "only for --kind learned");
  expect_wrong_usage("encode --kind lerned", "did you mean 'learned'?");
  for (const std::string& arguments :
       {"encode --out x.txt"s, "encode --out /none/x.npy"s, "encode --plot x.jpg"s,
        "encode --kind learned --params /none.safetensors"s}) {
    const Result r = heed_command(arguments);
    EXPECT_EQ(r.code, 1) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_EQ(lines(r.err), 1) << r.err;
  }
}

}  // namespace
