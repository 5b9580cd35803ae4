// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Each text is what PyTorch prints for the same tensor, but for the names of dtypes.
#include "support/tensors.h"

#include <sstream>

namespace heed::test {
namespace {

struct Printed {
  Tensor tensor;
  const char* text;
};

void expect_printed(const std::vector<Printed>& table) {
  for (const Printed& row : table) EXPECT_EQ(to_string(row.tensor), row.text);
}

TEST(Print, Scalars) {
  expect_printed({
      {tensor(3), "tensor(3.)"},
      {tensor(3.25), "tensor(3.2500)"},
      {tensor(7, i64), "tensor(7)"},
      {tensor(true), "tensor(True)"},
      {tensor(-kInf), "tensor(-inf)"},
  });
}

TEST(Print, OneFormatForAllNumbers) {
  expect_printed({
      {tensor({{1.5, 2}, {3, 4}}), "tensor([[1.5000, 2.0000],\n        [3.0000, 4.0000]])"},
      {tensor({{1, 2}, {3, 4}}), "tensor([[1., 2.],\n        [3., 4.]])"},
      {tensor({-1.5, 22.25}), "tensor([-1.5000, 22.2500])"},
      {zeros({3}), "tensor([0., 0., 0.])"},
      {tensor({-0.0, 0.5}), "tensor([-0.0000, 0.5000])"},
      {tensor({{1, -20}, {300, 4}}, i64), "tensor([[  1, -20],\n        [300,   4]])"},
      {tensor({true, false}), "tensor([ True, False])"},
      {tensor({1.5, 2}, f64), "tensor([1.5000, 2.0000], dtype=f64)"},
      {ones({2}).requires_grad_(), "tensor([1., 1.], requires_grad=True)"},
  });
}

TEST(Print, ScientificWhereMagnitudesAreFarApartOrExtreme) {
  expect_printed({
      {tensor({1, 1000.5, -0.5}), "tensor([ 1.0000e+00,  1.0005e+03, -5.0000e-01])"},
      {tensor({1e-5, 2e-5}), "tensor([1.0000e-05, 2.0000e-05])"},
      {tensor({2e8, 3e8}), "tensor([2.0000e+08, 3.0000e+08])"},
      {tensor({1, 1001}), "tensor([1.0000e+00, 1.0010e+03])"},
      {tensor({1, 1000}), "tensor([   1., 1000.])"},
      {tensor({0, 1e-6}), "tensor([0.0000e+00, 1.0000e-06])"},
  });
}

TEST(Print, NanAndInfinity) {
  expect_printed({
      {tensor({kNan, kInf, -kInf}), "tensor([nan, inf, -inf])"},
      {tensor({-kNan, 1.5, -kInf}), "tensor([   nan, 1.5000,   -inf])"},
      {tensor({kNan, 1, -kInf}), "tensor([nan, 1., -inf])"},
  });
}

TEST(Print, Empty) {
  expect_printed({
      {empty({0}), "tensor([])"},
      {empty({0, 3}), "tensor([], size=(0, 3))"},
      {empty({0}, i64), "tensor([], dtype=i64)"},
      {empty({2, 0}, f64), "tensor([], size=(2, 0), dtype=f64)"},
  });
}

TEST(Print, ManyDimensions) {
  expect_printed({
      {arange(8).reshape({2, 2, 2}),
       "tensor([[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]])"},
      {arange(4).reshape({2, 1, 2, 1}) + 0.5,
       "tensor([[[[0.5000],\n          [1.5000]]],\n\n\n        [[[2.5000],\n          [3.5000]]]])"},
      {arange(4).reshape({2, 2}).transpose(0, 1), "tensor([[0., 2.],\n        [1., 3.]])"},
  });
}

TEST(Print, LinesBreakAt80) {
  expect_printed({
      {arange(30),
       "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n"
       "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,\n"
       "        28., 29.])"},
      {arange(19, f64) + 0.5,
       "tensor([ 0.5000,  1.5000,  2.5000,  3.5000,  4.5000,  5.5000,  6.5000,  7.5000,\n"
       "         8.5000,  9.5000, 10.5000, 11.5000, 12.5000, 13.5000, 14.5000, 15.5000,\n"
       "        16.5000, 17.5000, 18.5000], dtype=f64)"},
      {full({2, 9}, -0.12345),
       "tensor([[-0.1235, -0.1235, -0.1235, -0.1235, -0.1235, -0.1235, -0.1235, -0.1235,\n"
       "         -0.1235],\n"
       "        [-0.1235, -0.1235, -0.1235, -0.1235, -0.1235, -0.1235, -0.1235, -0.1235,\n"
       "         -0.1235]])"},
  });
}

TEST(Print, LongEdgesAreElided) {
  expect_printed({
      {arange(1001), "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.])"},
      {arange(2000, i64).reshape({40, 50}),
       "tensor([[   0,    1,    2,  ...,   47,   48,   49],\n"
       "        [  50,   51,   52,  ...,   97,   98,   99],\n"
       "        [ 100,  101,  102,  ...,  147,  148,  149],\n"
       "        ...,\n"
       "        [1850, 1851, 1852,  ..., 1897, 1898, 1899],\n"
       "        [1900, 1901, 1902,  ..., 1947, 1948, 1949],\n"
       "        [1950, 1951, 1952,  ..., 1997, 1998, 1999]])"},
      {arange(1200, i64).reshape({1, 300, 4}).slice(2, {.step = -1}),
       "tensor([[[   3,    2,    1,    0],\n"
       "         [   7,    6,    5,    4],\n"
       "         [  11,   10,    9,    8],\n"
       "         ...,\n"
       "         [1191, 1190, 1189, 1188],\n"
       "         [1195, 1194, 1193, 1192],\n"
       "         [1199, 1198, 1197, 1196]]])"},
  });
  EXPECT_EQ(to_string(arange(1000)).find("..."), std::string::npos);
}

TEST(Print, StreamsAndTextAgree) {
  std::ostringstream out;
  out << tensor({1, 2});
  EXPECT_EQ(out.str(), "tensor([1., 2.])");
}

}  // namespace
}  // namespace heed::test
