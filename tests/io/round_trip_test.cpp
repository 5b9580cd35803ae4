// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What is saved comes back: every format, dtype, shape and memory layout.
#include "support/errors.h"
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

const char* const kFormats[] = {"x.npy", "x.npz", "x.safetensors"};

std::vector<Tensor> examples() {
  const double least = std::numeric_limits<double>::denorm_min();
  return {
      tensor({1.5, -0.0, kNan, kInf, -kInf, least}, f64),
      tensor({{1, 2, 3}, {4, 5, 6}}),
      from_vector(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), -1, 0,
                                            std::numeric_limits<std::int64_t>::max()},
                  {2, 2}),
      tensor({true, false, true}),
      tensor(3),
      empty({0}),
      empty({2, 0, 3}, f64),
      ones({1, 1, 1, 1, 1, 1, 1, 2}, i64),
      random_normal({3, 100, 41}),
  };
}

TEST(RoundTrip, EveryDtypeAndShape) {
  const Folder folder;
  for (const char* name : kFormats) {
    for (const Tensor& x : examples()) {
      SCOPED_TRACE(std::string(name) + " " + heed::name(x.dtype()) + " " + to_string(x.shape()));
      save(folder / name, x);
      EXPECT_TRUE(same_bits(load(folder / name), x));
    }
  }
  EXPECT_EQ(folder.count(), 3) << "temporary files are left";
}

TEST(RoundTrip, Compressed) {
  const Folder folder;
  const Tensor zero = zeros({300, 1000});
  save(folder / "small.npz", zero, {.compress = true});
  EXPECT_TRUE(same_bits(load(folder / "small.npz"), zero));
  EXPECT_LT(file_bytes(folder / "small.npz").size(), 10'000U);
  const Tensor noise = random_normal({3, 100, 41});
  save(folder / "noise.npz", noise, {.compress = true});
  EXPECT_TRUE(same_bits(load(folder / "noise.npz"), noise));
}

TEST(RoundTrip, EveryMemoryLayout) {
  const Folder folder;
  for (const char* name : kFormats) {
    for (const Tensor& x : {random_normal({3, 5}, f32), random_indices(9, {2, 3, 4})}) {
      for (const Layout& layout : layouts(x)) {
        SCOPED_TRACE(std::string(name) + " " + layout.name);
        save(folder / name, layout.tensor);
        EXPECT_TRUE(same_bits(load(folder / name), x));
      }
    }
  }
}

TEST(RoundTrip, ManyTensors) {
  const Folder folder;
  const std::map<std::string, Tensor> tensors = {{"a", tensor({true})},
                                                 {"b.c", tensor({1, 2}, f64)},
                                                 {"d/e:f", tensor({{3, 4}})},
                                                 {"", tensor({5}, i64)},
                                                 {"注意力 \"q\"\n", empty({0})}};
  for (const char* name : {"x.npz", "x.safetensors"}) {
    SCOPED_TRACE(name);
    save_all(folder / name, tensors);
    const auto back = load_all(folder / name);
    ASSERT_EQ(back.size(), tensors.size());
    for (const auto& [key, x] : tensors) EXPECT_TRUE(same_bits(back.at(key), x)) << key;
    for (const auto& [key, x] : tensors) EXPECT_TRUE(same_bits(load(folder / name + ":" + key), x)) << key;
    save_all(folder / name, {});
    EXPECT_EQ(load_all(folder / name).size(), 0U);
  }
}

TEST(RoundTrip, EqualTensorsMakeEqualFiles) {
  const Folder folder;
  for (const char* name : kFormats) {
    save(folder / name, tensor({1, 2}));
    const std::string first = file_bytes(folder / name);
    save(folder / name, tensor({1, 2}));
    EXPECT_EQ(file_bytes(folder / name), first) << name;
  }
}

TEST(RoundTrip, TensorsOnTheTapeAreSavedByValue) {
  const Folder folder;
  const Tensor x = tensor({1, 2}).requires_grad_();
  save(folder / "x.npy", x * 2);
  EXPECT_TRUE(same_bits(load(folder / "x.npy"), tensor({2, 4})));
}

TEST(Save, Errors) {
  const Folder folder;
  expect_errors({
      {[&] { save(folder / "x.txt", ones({1})); },
       "x.txt: expected a path that ends in .npy, .npz, .safetensors or .csv"},
      {[&] { save(folder / "x.npy", Tensor()); }, "save: x is undefined"},
      {[&] {
         save_all(folder / "x.npz", {{"q", Tensor()}});
       },
       "save: 'q' is undefined"},
      {[&] {
         save_all(folder / "x.npy", {{"q", ones({1})}});
       },
       "holds one tensor without a name"},
      {[&] { save(folder / "x.npy", ones({1}), {.compress = true}); }, "compress is for .npz files"},
      {[&] {
         save_all(folder / "x.safetensors", {{"__metadata__", ones({1})}});
       },
       "cannot have the name __metadata__"},
      {[&] {
         save_all(folder / "x.safetensors", {{"\xFF", ones({1})}});
       },
       "a name is not valid UTF-8"},
      {[&] {
         save_all(folder / "x.npz", {{std::string(70000, 'n'), ones({1})}});
       },
       "is longer than 65534 bytes"},
      {[&] {
         save(folder / "x.csv", ones({1, 1, 1}));
       },
       "rank 0 to 2, found shape (1, 1, 1)"},
  });
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace heed::test
