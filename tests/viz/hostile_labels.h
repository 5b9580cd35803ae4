// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What stands in the labels of strangers, and what it must look like in a picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heed::viz {

inline std::vector<std::pair<std::string, std::string>> hostile_labels() {
  using namespace std::string_literals;
  std::string longest;
  for (int i = 0; i < 100000; ++i) longest += "x";
  return {
      {"it's", "it's"},
      {"'", "'"},
      {"''; system('touch pwned')", "''; system('touch pwned')"},
      {R"("quoted")", R"("quoted")"},
      {R"(back\slash \n \101 \U+263A)", R"(back\slash \n \101 \U+263A)"},
      {"two\nlines", "two lines"},
      {"a\nsystem('touch pwned')\n", "a system('touch pwned') "},
      {"`touch pwned`", "`touch pwned`"},
      {"$(touch pwned) ${HOME} $0", "$(touch pwned) ${HOME} $0"},
      {"@ARG0 @x @1", "@ARG0 @x @1"},
      {"`1` `777", "`1` `777"},
      {"x_{1}^2 {/Symbol a} ~a{.8-}", "x_{1}^2 {/Symbol a} ~a{.8-}"},
      {"100 % %d %s %n %%", "100 % %d %s %n %%"},
      {"# not a comment", "# not a comment"},
      {"END", "END"},
      {"<script>alert(1)</script>", "<script>alert(1)</script>"},
      {"</text></svg>", "</text></svg>"},
      {"]]> --> &lt; & &#0;", "]]> --> &lt; & &#0;"},
      {"]]>", "]]>"},
      {"a]]>b]]]>c", "a]]>b]]]>c"},
      {"\uFFFE \uFFFF \uFDD0 \U0001FFFE", "\uFFFD \uFFFD \uFFFD \uFFFD"},
      {"-dash --output", "-dash --output"},
      {"nul\0byte"s,
       "nul\xEF\xBF\xBD"
       "byte"},
      {"\x1b[31mred\x07", "\xEF\xBF\xBD[31mred\xEF\xBF\xBD"},
      {"tab\there\r", "tab here "},
      {"broken \xff\xc3 utf-8", "broken \xEF\xBF\xBD\xEF\xBF\xBD utf-8"},
      {"turn \u202E round", "turn \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD round"},
      {"我 喜欢 吃 苹果", "我 喜欢 吃 苹果"},
      {"emoji 🙂🧑‍💻", "emoji 🙂🧑‍💻"},
      {" ", " "},
      {longest, longest.substr(0, 99) + "…"},
  };
}

}  // namespace heed::viz
