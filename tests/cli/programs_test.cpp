// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The programs that the tour's page shows are complete, and print what stands on the page.
#include "cli/heed_command.h"
#include "tour/html.h"
#include "tour/listing.h"
#include "tour/math_ml.h"
#include "tour/registry.h"

namespace heed::tour {
namespace {

using heed::test::contents;
using heed::test::has;
using heed::test::scratch_file;

std::string output_of(const Experiment& experiment) {
  Page page;
  experiment.show(page, 0);
  for (const Part& part : page.parts()) {
    if (const auto* output = std::get_if<Output>(&part)) return output->text;
  }
  return "";
}

TEST(Programs, PrintWhatStandsOnThePage) {
  for (const Experiment& e : experiments()) {
    const std::string file = scratch_file(".out");
    const std::string program = HEED_PROGRAMS_DIR "/heed_program_" + std::string(e.program);
    ASSERT_EQ(std::system(("'" + program + "' >'" + file + "'").c_str()), 0) << program;
    EXPECT_EQ(contents(file), output_of(e)) << e.name;
  }
}

TEST(Programs, OnThePageAreThoseThatWereRun) {
  std::vector<Chapter> chapters;
  for (const Experiment& e : experiments()) {
    chapters.push_back({e, {}});
    e.show(chapters.back().page, 0);
  }
  const std::string page = html(chapters, 0);
  for (const Experiment& e : experiments()) {
    const std::string name(e.program);
    std::string cpp = contents(HEED_PROGRAM_SOURCES_DIR "/" + name + ".cpp"),
                python = contents(HEED_TESTS_DIR "/../cli/tour/python/" + name + ".py"),
                output = output_of(e);
    ASSERT_FALSE(cpp.empty() || python.empty()) << name;
    EXPECT_EQ(cpp_program(name), cpp);
    EXPECT_EQ(python_program(name), python);
    for (std::string* text : {&cpp, &python, &output}) {
      text->pop_back();  // the line break at the end
      EXPECT_TRUE(has(page, ">" + escaped_for_html(*text) + "</")) << *text;
    }
  }
}

TEST(Programs, HaveTheSeedOfThePage) {
  const Experiment& e = *find_experiment("masked-softmax");
  Chapter chapter{e, {}};
  e.show(chapter.page, 7);
  const std::string page = html({chapter}, 7);
  EXPECT_TRUE(has(page, "run_masked_softmax(7)")) << page;
  EXPECT_TRUE(has(page, "heed.seed(7)"));
}

}  // namespace
}  // namespace heed::tour
