// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Labels of any origin: their width in a terminal, and one clean line of them.
#include "viz/label.h"

#include "viz/hostile_labels.h"

#include <gtest/gtest.h>
#include <heed/viz.h>

#include <clocale>
#include <cwchar>

namespace heed::viz {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("heed"), 4);
  EXPECT_EQ(display_width("我喜欢"), 6);
  EXPECT_EQ(display_width("ｆｕｌｌ"), 8);
  EXPECT_EQ(display_width("한국"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);  // é of two code points
  EXPECT_EQ(display_width("🙂"), 2);
  EXPECT_EQ(display_width("±½→"), 3);
  EXPECT_EQ(display_width("\xff"), 1);  // shown as U+FFFD
}

std::string utf8(char32_t code) {
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  if (code < 0x10000) {
    return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  }
  return {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
          static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
}

// The C library has a table of its own, of another version of Unicode.
TEST(DisplayWidth, AgreesWithTheCLibraryOnWritingInUse) {
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) GTEST_SKIP() << "no C.UTF-8 here";
  int compared = 0, different = 0;
  for (char32_t code = 0xA1; code < 0x20000; ++code) {
    if ((code >= 0xD800 && code < 0xF900) || code == 0xAD) continue;
    const int expected = ::wcwidth(static_cast<wchar_t>(code));
    if (expected < 0) continue;
    ++compared;
    different += display_width(utf8(code)) == expected ? 0 : 1;
  }
  std::setlocale(LC_CTYPE, "C");
  EXPECT_GT(compared, 60000);
  EXPECT_LT(different, compared / 200);
}

TEST(Label, CutsToItsWidth) {
  EXPECT_EQ(label("heed", 4), "heed");
  EXPECT_EQ(label("attention", 4), "att…");
  EXPECT_EQ(label("我喜欢", 6), "我喜欢");
  EXPECT_EQ(label("我喜欢", 5), "我喜…");
  EXPECT_EQ(label("我喜欢", 4), "我…");  // a half character does not exist
  EXPECT_EQ(label("x", 0), "…");
}

TEST(Label, PadsToItsWidth) {
  EXPECT_EQ(padded("我", 4), "我  ");
  EXPECT_EQ(padded("我", 4, Side::kRight), "  我");
  EXPECT_EQ(padded("我", 5, Side::kCentre), " 我  ");
  EXPECT_EQ(padded("long text", 4), "lon…");
}

TEST(Label, WrapsAtBlanksAndInsideLongWords) {
  EXPECT_EQ(wrapped("", 10), "\n");
  EXPECT_EQ(wrapped("one two three", 20), "one two three\n");
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree\n");
  EXPECT_EQ(wrapped("  one two three", 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("abcdefgh i", 3), "abc\ndef\ngh\ni\n");
  EXPECT_EQ(wrapped("我喜欢吃苹果", 5), "我喜\n欢吃\n苹果\n");
  EXPECT_EQ(wrapped("a\x1b[31mb", 20), "a\xEF\xBF\xBD[31mb\n");
}

TEST(Label, IsOneCleanLine) {
  for (const auto& [raw, shown] : hostile_labels()) {
    EXPECT_EQ(label(raw, 100), shown);
    EXPECT_LE(display_width(label(raw, 100)), 100);
  }
}

}  // namespace
}  // namespace heed::viz
