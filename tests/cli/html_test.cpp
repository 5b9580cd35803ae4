// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The page of the tour: formulas, escaping, and that it needs nothing but itself.
#include "tour/html.h"
#include "tour/math_ml.h"

#include <gtest/gtest.h>

namespace heed::tour {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

std::vector<Chapter> chapters() {
  std::vector<Chapter> all;
  for (const Experiment& e : experiments()) {
    all.push_back({e, {}});
    e.show(all.back().page, 0);
  }
  return all;
}

TEST(MathMl, SetsFormulas) {
  EXPECT_EQ(math_ml("W_q x"),
            "<math><msub><mi>W</mi><mi>q</mi></msub><mspace width=\"0.28em\"></mspace><mi>x</mi></math>");
  EXPECT_EQ(math_ml("Σᵢ vᵢ"),
            "<math><msub><mo>∑</mo><mi>i</mi></msub><msub><mi>v</mi><mi>i</mi></msub></math>");
  EXPECT_EQ(math_ml("(q)²"),
            "<math><msup><mrow><mo stretchy=\"false\">(</mo><mi>q</mi><mo "
            "stretchy=\"false\">)</mo></mrow><mn>2</mn></msup></math>");
  EXPECT_EQ(math_ml("( q )"), math_ml("(q)"));
  EXPECT_EQ(math_ml("½ √d"), "<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msqrt><mi>d</mi></msqrt></math>");
  EXPECT_EQ(math_ml("10^(2i/d)"),
            "<math><msup><mn>10</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo><mi>d</mi></mrow></msup></math>");
  EXPECT_EQ(math_ml("x^0.8"), "<math><msup><mi>x</mi><mn>0.8</mn></msup></math>");
  EXPECT_EQ(math_ml("exp - 1"), "<math><mtext>exp</mtext><mo>−</mo><mn>1</mn></math>");
  EXPECT_EQ(math_ml("a;  b"), "<math><mi>a</mi><mo>;</mo></math> <math><mi>b</mi></math>");
  EXPECT_EQ(math_ml("<b>&"), "<math><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mo>&amp;</mo></math>");
}

TEST(MathMl, TakesWhateverItIsGiven) {
  for (const char* text : {"", " ", "_", "^", "√", "(", ")", "((", "x_", "x^(", "\xff", "我"}) {
    EXPECT_NO_THROW(math_ml(text)) << text;
  }
}

TEST(Html, HasEverythingAboutEveryExperiment) {
  const std::vector<Chapter> all = chapters();
  const std::string page = html(all, 0);
  for (const Chapter& chapter : all) {
    const std::string name(chapter.experiment.name);
    EXPECT_TRUE(has(page, "<section id=\"" + name + "\">")) << name;
    EXPECT_TRUE(has(page, "<a href=\"#" + name + "\">")) << name;
    int formulas = 0, pictures = 0, lessons = 0;
    for (const Part& part : chapter.page.parts()) {
      formulas += std::holds_alternative<Formula>(part) ? 1 : 0;
      pictures += std::holds_alternative<Picture>(part) ? 1 : 0;
      lessons += std::holds_alternative<Lesson>(part) ? 1 : 0;
    }
    EXPECT_GE(formulas, 1) << name;
    EXPECT_GE(pictures, 1) << name;
    EXPECT_EQ(lessons, 1) << name;
  }
  EXPECT_EQ(count(page, "<section"), 13);
  EXPECT_EQ(count(page, "<img "), count(page, " alt=\""));
  EXPECT_EQ(count(page, "<img "), count(page, " height=\""));
  EXPECT_EQ(count(page, "<img "), count(page, "src=\"data:image/svg+xml;base64,"));
}

TEST(Html, NeedsNothingButItself) {
  const std::string page = html(chapters(), 0);
  // Links are followed by readers, not by the page.
  EXPECT_EQ(count(page, "http"), count(page, "<a href=\"https://"));
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "@import"));
  EXPECT_EQ(count(page, "src=\""), count(page, "src=\"data:"));
  EXPECT_EQ(count(page, "srcset=\""), count(page, "srcset=\"data:"));
  EXPECT_EQ(count(page, "url("), 0);
}

TEST(Html, EscapesEverything) {
  const std::string hostile = "<script>alert('x')</script> & \" \n";
  Chapter chapter{experiments()[0], {}};
  Page& page = chapter.page;
  page.formula(hostile);
  page.question(hostile);
  page.note(hostile);
  page.read({.text = hostile, .url = hostile});
  page.picture(viz::Heatmap{.values = ones({1, 1}), .title = hostile});
  page.see(hostile);
  const std::string text = html({chapter}, 0);
  EXPECT_FALSE(has(text, "<script"));
  EXPECT_FALSE(has(text, "alert('x')"));
  EXPECT_GE(count(text, "&lt;script&gt;"), 6);
}

}  // namespace
}  // namespace heed::tour
