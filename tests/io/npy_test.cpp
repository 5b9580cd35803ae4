// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Every element type, byte order and index order of .npy files.
#include "support/errors.h"
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <algorithm>
#include <bit>

namespace heed::test {
namespace {

struct TypeCase {
  const char* type;  ///< without the byte order
  int bytes;
  std::vector<std::uint64_t> elements;
  Tensor expected;
};

std::vector<TypeCase> type_cases() {
  const auto integers = [](std::vector<std::int64_t> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return from_vector(values, {count});
  };
  const std::uint64_t minus_one = ~std::uint64_t{0};
  return {
      {"b1", 1, {0, 1, 1}, tensor({false, true, true})},
      {"i1", 1, {0x80, 0xFF, 0x7F}, integers({-128, -1, 127})},
      {"u1", 1, {0x80, 0xFF, 0x7F}, integers({128, 255, 127})},
      {"i2", 2, {0x8000, 0xFFFF, 0x0102}, integers({-32768, -1, 258})},
      {"u2", 2, {0x8000, 0xFFFF, 0x0102}, integers({32768, 65535, 258})},
      {"i4", 4, {0x80000000, 0xFFFFFFFF, 0x01020304}, integers({-2147483648LL, -1, 16909060})},
      {"u4", 4, {0x80000000, 0xFFFFFFFF, 0x01020304}, integers({2147483648LL, 4294967295LL, 16909060})},
      {"i8", 8, {minus_one, 1ULL << 63U, 5}, integers({-1, std::numeric_limits<std::int64_t>::min(), 5})},
      {"u8", 8, {minus_one >> 1U, 0, 5}, integers({std::numeric_limits<std::int64_t>::max(), 0, 5})},
      {"f2",
       2,
       {0x3C00, 0xC000, 0x0001, 0x8000, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x0400, 0x03FF},
       tensor({1.0, -2.0, 0x1p-24, -0.0, 65504.0, kInf, -kInf, kNan, 0x1p-14, 1023 * 0x1p-24})},
      {"f4", 4, {0x3FC00000, 0x80000000, 0x7F800000}, tensor({1.5, -0.0, kInf})},
      {"f8", 8, {0x3FF8000000000000, 0xFFF0000000000000, 1}, tensor({1.5, -kInf, 0x1p-1074}, f64)},
  };
}

std::string ordered(std::uint64_t element, int bytes, char order) {
  std::string text = little(element, bytes);
  if (order == '>') std::ranges::reverse(text);
  return text;
}

TEST(Npy, EveryTypeInEitherByteOrder) {
  const Folder folder;
  for (const TypeCase& c : type_cases()) {
    for (const char order : {'<', '>', '|'}) {
      if (order == '|' && c.bytes > 1) continue;
      SCOPED_TRACE(std::string(1, order) + c.type);
      std::string data;
      for (const std::uint64_t element : c.elements) data += ordered(element, c.bytes, order);
      const std::string shape = "(" + std::to_string(c.elements.size()) + ",)";
      const Tensor x = load(folder.file("x.npy", npy(std::string(1, order) + c.type, false, shape, data)));
      EXPECT_EQ(x.dtype(), c.expected.dtype());
      EXPECT_TRUE(near(x, c.expected, 0));
    }
  }
}

TEST(Npy, HalfKeepsTheSignOfZeroAndThePayloadOfNan) {
  const Folder folder;
  const std::string data = little(0x8000, 2) + little(0xFE55, 2);
  const Tensor x = load(folder.file("x.npy", npy("<f2", false, "(2,)", data)));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(x.data<float>()[0]), 0x80000000U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(x.data<float>()[1]), 0xFFCAA000U);
}

TEST(Npy, FortranOrderComesOutContiguous) {
  const Folder folder;
  // Index (i, j, k) holds 100 i + 10 j + k.
  std::string data;
  for (std::uint64_t k = 0; k < 4; ++k) {
    for (std::uint64_t j = 0; j < 3; ++j) {
      for (std::uint64_t i = 0; i < 2; ++i) data += little(100 * i + 10 * j + k, 2);
    }
  }
  const Tensor x = load(folder.file("x.npy", npy("<u2", true, "(2, 3, 4)", data)));
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(x.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(x.at({1, 2, 3}), 123);
  EXPECT_EQ(x.at({0, 1, 2}), 12);
  EXPECT_EQ(x.at({1, 0, 2}), 102);
}

TEST(Npy, LargerThanAChunk) {
  const Folder folder;
  std::string data;
  constexpr std::uint64_t kRows = 301;
  constexpr std::uint64_t kColumns = 257;
  for (std::uint64_t i = 0; i < kRows * kColumns; ++i) data += ordered(i, 4, '>');
  const std::string shape = "(301, 257)";
  const Tensor c = load(folder.file("c.npy", npy(">i4", false, shape, data)));
  EXPECT_EQ(c.at({300, 256}), kRows * kColumns - 1);
  EXPECT_EQ(c.at({150, 7}), 150 * kColumns + 7);
  const Tensor f = load(folder.file("f.npy", npy(">i4", true, shape, data)));
  EXPECT_EQ(f.at({300, 256}), kRows * kColumns - 1);
  EXPECT_EQ(f.at({150, 7}), 150 + 7 * kRows);
}

TEST(Npy, HeadersOtherProgramsWrite) {
  const Folder folder;
  const std::string one = little(7, 1);
  for (const std::string text : {
           "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (1,)}",
           "{'shape':(1,),'fortran_order':False,'descr':'|u1'}",
           "{'descr': 'u1', 'fortran_order': True, 'shape': (1, )}      ",
       }) {
    EXPECT_EQ(load(folder.file("x.npy", npy(text, one))).item(), 7) << text;
  }
  for (const char version : {'\x02', '\x03'}) {
    std::string bytes = npy("|u1", false, "(1,)", one);
    bytes[6] = version;
    bytes.insert(10, 2, '\0');
    EXPECT_EQ(load(folder.file("x.npy", bytes)).item(), 7);
  }
  EXPECT_EQ(load(folder.file("x.npy", npy("|u1", false, "()", one))).shape(), Shape{});
  EXPECT_EQ(load(folder.file("x.npy", npy("<f8", false, "(4294967296, 0)", ""))).numel(), 0);
}

TEST(Npy, NumbersThatDoNotFit) {
  const Folder folder;
  expect_errors({
      {[&] { load(folder.file("x.npy", npy("<u8", false, "(2,)", little(1, 8) + little(1ULL << 63U, 8)))); },
       "element 1 in file order: expected a number below 2^63, found 9223372036854775808"},
      {[&] { load(folder.file("x.npy", npy("|b1", false, "(3,)", std::string("\x01\x00\x02", 3)))); },
       "element 2 in file order: a boolean must be 0 or 1, found 2"},
  });
}

}  // namespace
}  // namespace heed::test
