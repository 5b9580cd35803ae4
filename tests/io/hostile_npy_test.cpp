// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// .npy files that lie. Each gets an Error that says where, and none gets memory for what it promises.
#include "support/files.h"
#include "support/hostile.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

namespace heed::test {
namespace {

std::string with_shape(const std::string& shape, const std::string& data = "") {
  return npy("<f8", false, shape, data);
}

std::string with_header(const std::string& text) { return npy(text, ""); }

TEST(HostileNpy, Preamble) {
  const std::string good = with_shape("(1,)", std::string(8, '\0'));
  std::string bad_version = good;
  bad_version[6] = 4;
  std::string long_header = good;
  long_header[6] = 2;
  long_header.replace(8, 2, little(0xFFFFFFFF, 4));
  expect_refused(
      "x.npy", {
                   {"", "byte 0: magic: expected 8 more bytes, found 0"},
                   {"PK\x03\x04 an archive", "byte 0: magic: expected '\\x93NUMPY', found 'PK\\x03\\x04 a'"},
                   {bad_version, "byte 6: version: expected 1.0, 2.0 or 3.0, found 4.0"},
                   {long_header, "byte 8: header length: expected at most 65536, found 4294967295"},
                   {good + "x", "byte 68: data: shape (1,) needs 8 bytes, found 9"},
                   {good.substr(0, good.size() - 1), "byte 68: data: shape (1,) needs 8 bytes, found 7"},
               });
}

TEST(HostileNpy, Shape) {
  expect_refused(
      "x.npy",
      {
          {with_shape("(1000000000000,)"),
           "byte 80: data: shape (1000000000000,) needs 8000000000000 bytes, found 0"},
          {with_shape("(9223372036854775807, 9223372036854775807)"),
           "byte 60: shape: (9223372036854775807, 9223372036854775807) has more than 2^63 bytes"},
          {with_shape("(4611686018427387904, 4)"), "has more than 2^63 bytes"},
          {with_shape("(4611686018427387904, 4611686018427387904, 0)"), "has more than 2^63 bytes"},
          {npy("|u1", false, "(2305843009213693952,)", ""), "has more than 2^63 bytes"},
          {with_shape("(18446744073709551616,)"),
           "byte 61: shape: expected a number from 0 to 2^64 - 1, found '18446744073709551616'"},
          {with_shape("(-1,)"), "byte 61: shape: expected a number from 0 to 2^64 - 1, found '-1,), }"},
          {with_shape("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "shape: expected at most 8 dimensions"},
          {with_shape("(1)"), "shape: expected ',' after the only size, found '), }"},
          {with_shape("(1, 2"), "shape: expected a number"},
          {with_shape("3"), "byte 60: shape: expected '(', found '3, }"},
          {with_shape("(1.5,)"), "shape: expected ',' after the only size"},
      });
}

TEST(HostileNpy, Type) {
  const auto with_descr = [](const std::string& descr) {
    return npy(descr, false, "(1,)", std::string(8, '\0'));
  };
  expect_refused(
      "x.npy",
      {
          {with_descr("|O"), "byte 20: descr: '|O': objects of Python are not read"},
          {with_descr("<c16"), "byte 20: descr: '<c16': complex numbers are not read"},
          {with_descr("<U5"), "text is not read"},
          {with_descr("|S8"), "text is not read"},
          {with_descr("|V8"), "raw memory is not read"},
          {with_descr("<M8[ns]"), "dates and times are not read"},
          {with_descr("<f16"), "expected booleans, integers of 1 to 8 bytes or floating numbers of 2 to 8"},
          {with_descr("<i3"), "descr: '<i3': expected booleans"},
          {with_descr("=f8"), "descr: '=f8': expected booleans"},
          {with_descr("f8"), "descr: expected a byte order, '<' or '>', found 'f8'"},
          {with_descr("|f8"), "descr: expected a byte order"},
          {with_descr(""), "descr: '': expected booleans"},
          {with_descr("\x1b[31m"), "descr: '\\x1b[31m'"},
          {with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}"),
           "byte 20: descr: records of several fields are not read"},
      });
}

TEST(HostileNpy, Dictionary) {
  expect_refused("x.npy",
                 {
                     {with_header("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}"),
                      "header: the key 'descr' appears twice"},
                     {with_header("{'descr': '<f8', 'shape': ()}"),
                      "header: expected the keys descr, fortran_order and shape"},
                     {with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (), 'x': 1}"),
                      "header: unknown key 'x'"},
                     {with_header("{'descr': '<f8', 'fortran_order': 0, 'shape': ()}"),
                      "fortran_order: expected True or False, found '0, 'shape''"},
                     {with_header("{'descr': '<f8', 'fortran_order': False, 'shape': ()} x"),
                      "expected spaces and a newline after the dictionary, found 'x"},
                     {with_header("{'descr': '<f8' 'fortran_order': False, 'shape': ()}"),
                      "header: expected '}', found"},
                     {with_header("{'descr: 1}"), "header: a string without its end"},
                     {with_header("{'de\\x73cr': 1}"), "a string without its end"},
                     {with_header("[]"), "byte 10: header: expected '{', found '[]"},
                     {with_header("__import__('os')"), "byte 10: header: expected '{', found '__import__'"},
                     {with_header(""), "byte 10: header: expected '{'"},
                 });
}

}  // namespace
}  // namespace heed::test
