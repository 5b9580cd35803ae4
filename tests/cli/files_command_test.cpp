// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How commands read the files people have, and in which format they write.
#include "cli/heed_command.h"
#include "cli/on_a_terminal.h"
#include "support/files.h"

#include <heed/heed.h>

namespace {

using namespace heed::test;

class FilesOfPeople : public testing::Test {
 protected:
  FilesOfPeople() {
    folder.file("plain.csv", "waist,weight\n51.5,40\n56,43\n58,48\n60,47\n");
    folder.file("export.csv",
                "\xEF\xBB\xBF\"Day\";\"waist\";\"weight\";\"note\"\r\n01.02.2020;51,5;40;a, "
                "b\r\n02.02.2020;56;43;\r\n"
                "03.02.2020;58;48;x\r\n03.02.2020;n/a;48;x\r\n04.02.2020;60;47;\r\n");
  }

  Result run(const std::string& arguments) const {
    return heed_command(arguments + " </dev/null", "cd '" + folder.path() + "' &&");
  }

  Folder folder;
};

TEST_F(FilesOfPeople, ASpreadsheetsExportGivesWhatThePlainFileGives) {
  const std::string options = " --x waist --y weight --bandwidth 20 --at 57 --json";
  const Result plain = run("regress plain.csv" + options), exported = run("regress export.csv" + options);
  ASSERT_EQ(exported.code, 0) << exported.err;
  EXPECT_EQ(plain.err, "");
  EXPECT_EQ(exported.err,
            "heed: note: export.csv: read with semicolons between fields, decimal commas, 'n/a' for what is "
            "missing\n");
  const auto predictions = [](const Result& r) { return r.out.substr(r.out.find("\"bandwidth\"")); };
  EXPECT_EQ(predictions(plain), predictions(exported));
  EXPECT_EQ(run("regress export.csv --quiet" + options).err, "");
  const std::string attend =
      "attend --score gaussian --queries plain.csv:waist --keys plain.csv:waist --values ";
  EXPECT_EQ(run(attend + "export.csv:weight --delimiter ';'").code, 1) << "the other files are read so too";
}

TEST_F(FilesOfPeople, WhatIsInsistedOnIsTaken) {
  folder.file("odd.csv", "x:y\n1,5:10\n2,5:-99\n3,5:30\n");
  const Result r = run("regress odd.csv --x x --y y --bandwidth 1 --delimiter : --decimal , --na -99");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(has(r.out, "2 used, 1 dropped")) << r.out;
  expect_wrong_usage("regress odd.csv --x x --y y --delimiter ab", "--delimiter");
  expect_wrong_usage("regress odd.csv --x x --y y --decimal x", "--decimal");
  folder.file("tabs.txt", "x\ty\n1,5\t10\n2,5\t20\n");
  EXPECT_EQ(run("regress tabs.txt --x x --y y --bandwidth 1 --delimiter tab --decimal ,").err, "");
}

TEST_F(FilesOfPeople, TheFormatOfTheOutputIsThatOfItsNameOrTheOneAskedFor) {
  const std::string call =
      "attend --score gaussian --queries plain.csv:waist --keys plain.csv:waist --values plain.csv ";
  const Result printed = run(call);
  ASSERT_EQ(printed.code, 0) << printed.err;
  const heed::Tensor whole = heed::load(folder.file("printed.csv", printed.out));
  EXPECT_EQ(run(call + "--out -").out, printed.out);
  for (const char* format : {"npy", "npz", "safetensors", "csv"}) {
    SCOPED_TRACE(format);
    const std::string name = std::string("out.") + format;
    EXPECT_EQ(run(call + "--out " + name).code, 0);
    EXPECT_EQ(run(call + "--out any.thing --format " + format).code, 0);
    EXPECT_EQ(file_bytes(folder / "any.thing"), file_bytes(folder / name));
    const Result piped = run(call + "--out - --format " + format);
    EXPECT_EQ(piped.out, file_bytes(folder / name));
    EXPECT_EQ(run(call + "--format " + format).out, piped.out)
        << "a format without --out is for the standard output";
    EXPECT_TRUE(identical(heed::load(folder / name), whole));
  }
  EXPECT_EQ(run(call + "--sep ';'").out.find(','), std::string::npos);
  EXPECT_EQ(run(call + "--sep tab --out o.csv").code, 0);
  EXPECT_TRUE(has(file_bytes(folder / "o.csv"), "\t"));
  for (const char* wrong :
       {"--out x.npy --sep ';'", "--out x.txt", "--sep x", "--format xls", "--json --out -"}) {
    const Result r = run(call + wrong);
    EXPECT_NE(r.code, 0) << wrong;
    EXPECT_EQ(r.out, "") << wrong;
  }
  const std::string heed = "cd '" + folder.path() + "' && '" HEED_COMMAND "' ";
  EXPECT_TRUE(has(on_a_terminal(heed + call + "--format npy"), "no text for a terminal"));
}

TEST_F(FilesOfPeople, PredictionsGoToAPipeAndTheReportBesides) {
  const std::string call = "regress plain.csv --x waist --y weight --bandwidth 2 --at 57 58 ";
  const Result r = run(call + "--out -");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(lines(r.out), 3) << r.out;
  EXPECT_TRUE(r.out.starts_with("waist,weight,")) << r.out;
  EXPECT_TRUE(has(r.err, "bandwidth")) << r.err;
  EXPECT_EQ(run(call + "--out - --quiet").err, "");
  EXPECT_EQ(run(call + "--out o.csv").code, 0);
  EXPECT_EQ(file_bytes(folder / "o.csv"), r.out);
  EXPECT_EQ(run("encode --length 3 --width 4 --out -").out.size(),
            run("encode --length 3 --width 4 --format csv").out.size());
}

}  // namespace
