// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/errors.h"
#include "support/files.h"
#include "support/hostile.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

/// One tensor, x.
std::string lone(const std::string& dtype, const std::string& shape, const std::string& offsets,
                 const std::string& data) {
  return safetensors(R"({"x":)" + entry(dtype, shape, offsets) + "}", data);
}

TEST(Safetensors, EveryType) {
  const Folder folder;
  const auto read = [&](const std::string& dtype, std::uint64_t bits, int bytes) {
    const std::string offsets = "[0," + std::to_string(bytes) + "]";
    return load(folder.file("x.safetensors", lone(dtype, "[1]", offsets, little(bits, bytes))));
  };
  EXPECT_TRUE(same_bits(read("BOOL", 1, 1), tensor({true})));
  for (const auto& [dtype, bytes] : {std::pair{"I8", 1}, {"I16", 2}, {"I32", 4}, {"I64", 8}}) {
    EXPECT_TRUE(same_bits(read(dtype, ~0ULL, bytes), tensor({-1}, i64))) << dtype;
  }
  for (const auto& [dtype, bytes] : {std::pair{"U8", 1}, {"U16", 2}, {"U32", 4}, {"U64", 8}}) {
    EXPECT_TRUE(same_bits(read(dtype, 0x7F, bytes), tensor({127}, i64))) << dtype;
  }
  EXPECT_TRUE(same_bits(read("F16", 0x3E00, 2), tensor({1.5})));
  EXPECT_TRUE(same_bits(read("BF16", 0x3FC0, 2), tensor({1.5})));
  EXPECT_TRUE(same_bits(read("F32", 0x3FC00000, 4), tensor({1.5})));
  EXPECT_TRUE(same_bits(read("F64", 0x3FF8000000000000, 8), tensor({1.5}, f64)));
}

TEST(Safetensors, HeadersOtherProgramsWrite) {
  const Folder folder;
  const std::string x = entry("U8", "[2]", "[1,3]");
  const std::string y = entry("U8", "[]", "[0,1]");
  const std::string z = entry("F64", "[4,0]", "[1,1]");
  const std::string json =
      R"({"__metadata__":{"format":"pt","a":"b"}, "x":)" + x + R"(,"y" : )" + y + R"(,"z":)" + z + "}    ";
  const auto tensors = load_all(folder.file("x.safetensors", safetensors(json, "\1\2\3")));
  EXPECT_TRUE(same_bits(tensors.at("x"), tensor({2, 3}, i64)));
  EXPECT_TRUE(same_bits(tensors.at("y"), tensor(1, i64)));
  EXPECT_EQ(tensors.at("z").shape(), (Shape{4, 0}));
  EXPECT_EQ(tensors.size(), 3U);
}

TEST(Safetensors, DataIsAligned) {
  const Folder folder;
  save_all(folder / "x.safetensors",
           {{"a", tensor({true})}, {"b", tensor({1, 2, 3})}, {"c", tensor({4}, f64)}});
  const std::string bytes = file_bytes(folder / "x.safetensors");
  const auto length = static_cast<unsigned char>(bytes[0]);
  EXPECT_EQ(length % 8, 0);
  EXPECT_NE(bytes.find(R"("c":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})"), std::string::npos);
  EXPECT_NE(bytes.find(R"("b":{"dtype":"F32","shape":[3],"data_offsets":[8,20]})"), std::string::npos);
  EXPECT_NE(bytes.find(R"("a":{"dtype":"BOOL","shape":[1],"data_offsets":[20,21]})"), std::string::npos);
}

TEST(HostileSafetensors, Header) {
  const auto header = [](const std::string& json) { return safetensors(json, ""); };
  expect_refused(
      "x.safetensors",
      {
          {"", "byte 0: header length: expected 8 more bytes, found 0"},
          {little(~0ULL, 8) + "{}",
           "byte 0: header length: expected at most 100000000, found 18446744073709551615"},
          {little(3, 8) + "{}", "byte 8: header: expected 3 more bytes, found 2"},
          {header(""), "byte 8: header: expected '{', found ''"},
          {header(" {}"), "header: expected '{', found ' '"},
          {header("\xEF\xBB\xBF{}"), "header: expected '{', found '\\xef'"},
          {header("[]"), "header: expected '{', found '['"},
          {header("{"), "byte 9: header: not JSON"},
          {header("{}x"), "header: not JSON, near '{}x'"},
          {header("{}\n{}"), "header: not JSON"},
          {header("{'x':1}"), "header: not JSON"},
          {header(R"({"x":1,})"), "header: a number is not expected here"},
          {header(R"({"x":null})"), "header: null is not expected here"},
          {header(R"({"x":[]})"), "header: a list is not expected here"},
          {header("{\"x\xFF\":1}"), "header: not JSON"},
          {header(R"({"x":{"dtype":{}}})"), "header: 'x': dtype: an object is not expected here"},
          {header(R"({"__metadata__":{"a":1}})"), "a number is not expected here"},
          {header(R"({"__metadata__":{"a":"1","a":"2"}})"), "__metadata__: the key 'a' appears twice"},
          {header(R"({"__metadata__":{},"__metadata__":{}})"), "the name '__metadata__' appears twice"},
          {header(R"({"x":)" + std::string(100000, '[')), "a list is not expected here"},
          {header(R"({"x":{"shape":)" + std::string(100000, '[')), "'x': shape: a list is not expected here"},
      });
}

TEST(HostileSafetensors, Entries) {
  const std::string one = entry("U8", "[1]", "[0,1]");
  const auto both = [&](const std::string& x, const std::string& y, const std::string& data) {
    return safetensors(R"({"x":)" + x + R"(,"y":)" + y + "}", data);
  };
  expect_refused(
      "x.safetensors",
      {
          {safetensors(R"({"x":)" + one + R"(,"x":)" + one + "}", "1"), "header: the name 'x' appears twice"},
          {lone("F8_E4M3", "[1]", "[0,1]", "1"), "header: 'x': dtype: 'F8_E4M3' is not read; expected BOOL"},
          {lone("U8", "[-1]", "[0,1]", "1"), "'x': shape: a negative number is not expected here"},
          {lone("U8", "[1.0]", "[0,1]", "1"), "'x': shape: a number that is no integer below 2^64"},
          {lone("U8", "[18446744073709551616]", "[0,1]", "1"),
           "'x': shape: a number that is no integer below 2^64"},
          {lone("U8", "[\"1\"]", "[0,1]", "1"), "'x': shape: a string is not expected here"},
          {lone("U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]", "1"), "'x': shape: expected at most 8 numbers"},
          {lone("F64", "[4611686018427387904,8]", "[0,1]", "1"),
           "shape: (4611686018427387904, 8) has more than 2^63 bytes"},
          {lone("F64", "[4294967296,4294967296]", "[0,0]", ""), "has more than 2^63 bytes"},
          {lone("U8", "[1]", "[0]", "1"), "'x': data_offsets: expected 2 numbers, found 1"},
          {lone("U8", "[1]", "[0,1,2]", "1"), "'x': data_offsets: expected at most 2 numbers"},
          {lone("U8", "[1]", "[1,0]", "1"), "'x': data_offsets: 1 lies after 0"},
          {lone("F32", "[2]", "[0,4]", "1234"), "'x': data_offsets: shape (2,) needs 8 bytes, found 4"},
          {lone("U8", "[1000000000000]", "[0,1000000000000]", "1"),
           "data: expected 1000000000000 bytes, found 1"},
          {lone("U8", "[1]", "[1,2]", "12"),
           "data_offsets: 'x' starts at 1, expected 0: no gaps, no overlaps"},
          {lone("U8", "[1]", "[0,1]", "12"), "data: expected 1 bytes, found 2"},
          {lone("U8", "[1]", "[0,1]", ""), "data: expected 1 bytes, found 0"},
          {safetensors("{}", "x"), "byte 10: data: expected 0 bytes, found 1"},
          {both(one, one, "1"), "'y' starts at 0, expected 1: no gaps, no overlaps"},
          {both(one, entry("U8", "[1]", "[2,3]"), "123"), "'y' starts at 2, expected 1"},
          {both(entry("U8", "[2]", "[0,2]"), entry("U8", "[2]", "[1,3]"), "123"),
           "'y' starts at 1, expected 2"},
          {safetensors(R"({"x":{"dtype":"U8","shape":[1]}})", "1"),
           "'x': expected dtype, shape and data_offsets"},
          {safetensors(R"({"x":{"dtype":"U8","dtype":"U8"}})", "1"), "'x': dtype: dtype appears twice"},
          {safetensors(R"({"x":{"strides":[1]}})", "1"),
           "'x': expected dtype, shape and data_offsets, found 'strides'"},
          {lone("BOOL", "[1]", "[0,1]", "\2"),
           ":x: byte 0: data: element 0 in file order: a boolean must be 0 or 1, found 2"},
      });
}

}  // namespace
}  // namespace heed::test
