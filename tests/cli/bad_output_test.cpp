// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Places that cannot be read or written: one or two lines that say so, exit code 1, nothing lost.
#include "cli/bad_input.h"

#include <sys/stat.h>
#include <unistd.h>

namespace heed::test {
namespace {

using BadOutput = BadInput;

/// Nobody, if the tests run as root: root may read and write anything.
std::string as_nobody(const std::string& command) {
  return ::geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " + command : command;
}

TEST_F(BadOutput, NoPermission) {
  std::filesystem::create_directory(folder / "locked");
  for (const char* name : {"good.csv", "q.npy", "k.npy", "v.npy"}) ::chmod((folder / name).c_str(), 0644);
  ::chmod(folder.path().c_str(), 0755);
  folder.file("secret.npy", file_bytes(folder / "q.npy"));
  folder.file("secret.csv", "x,y\n1,2\n");
  for (const char* name : {"secret.npy", "secret.csv"}) ::chmod((folder / name).c_str(), 0);
  ::chmod((folder / "locked").c_str(), 0555);
  if (shell(as_nobody("'" HEED_COMMAND "' --version")).code != 0)
    GTEST_SKIP() << "cannot run the command as nobody";
  const auto refused = [&](const std::string& arguments, const std::vector<std::string>& parts) {
    expect_refusal(shell(as_nobody("'" HEED_COMMAND "' " + arguments)), arguments, parts);
  };
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  refused("attend --queries secret.npy --keys k.npy --values v.npy", {"secret.npy", "Permission denied"});
  refused("regress secret.csv --x x --y y", {"secret.csv", "Permission denied"});
  refused(call + "--out locked/o.npy", {"cannot write locked/o.npy: locked: Permission denied"});
  refused(call + "--heatmap locked/o.svg", {"cannot write locked/o.svg: locked: Permission denied"});
  refused("regress good.csv --x x --y y --out locked/o.csv", {"locked/o.csv", "Permission denied"});
}

TEST_F(BadOutput, PlacesToWriteThatAreNotThere) {
  const std::string call = "attend --queries q.npy --keys k.npy --values v.npy ";
  for (const char* option : {"--out", "--weights"}) {
    expect_refused(call + option + " gone/o.npy", {"cannot write gone/o.npy: gone: No such file"});
    expect_refused(call + option + " o.txt", {"cannot write o.txt: its name must end in one of .npy"});
  }
  expect_refused(call + "--heatmap gone/o.svg", {"cannot write gone/o.svg: gone: No such file"});
  expect_refused(call + "--heatmap o.gif",
                 {"cannot write o.gif: its name must end in one of .svg, .png, .pdf"});
  expect_refused("regress good.csv --x x --y y --plot o", {"must end in one of .svg"});
  expect_refused("regress good.csv --x x --y y --out /dev/null.csv/o.csv", {"cannot write"});
}

/// A limit on the size of files stands for a full disk: the old file stays, and nothing else.
TEST_F(BadOutput, AFullDiskLosesNothing) {
  heed::save(folder / "long.npy", heed::ones({3000, 3}));
  heed::save(folder / "o.npy", heed::full({3}, 7));
  folder.file("o.csv", "old\n");
  const int files = folder.count();
  const auto full = [&](const std::string& arguments, const std::string& file) {
    const Result r = shell("trap '' XFSZ; ulimit -f 8; '" HEED_COMMAND "' " + arguments);
    expect_refusal(r, arguments, {file + ": cannot write", "File too large"});
    EXPECT_EQ(folder.count(), files) << "a temporary file is left";
  };
  full("attend --queries long.npy --keys k.npy --values v.npy --out o.npy", "o.npy");
  full("attend --queries long.npy --keys k.npy --values v.npy --weights o.npy", "o.npy");
  full("regress good.csv --x x --y y --bandwidth 1 --at 0:1:5000 --out o.csv", "o.csv");
  EXPECT_EQ(heed::load(folder / "o.npy").numel(), 3);
  EXPECT_EQ(contents(folder / "o.csv"), "old\n");
}

/// The limit as the system has it ends a program by a signal, which would leave the temporary file.
TEST_F(BadOutput, ALimitOnFileSizesIsAnErrorAndLeavesNothing) {
  heed::save(folder / "long.npy", heed::ones({3000, 3}));
  const int files = folder.count();
  const std::string call = "attend --queries long.npy --keys k.npy --values v.npy";
  for (const std::string& arguments :
       {call + " --out o.npy", call + " --out o.npz", call + " --weights o.csv", call + " --heatmap o.svg",
        std::string("encode --length 3000 --out o.csv"),
        std::string("plot long.npy --kind lines --out o.svg"),
        std::string("regress good.csv --x x --y y --bandwidth 1 --at 0:1:5000 --out o.csv")}) {
    const Result r = shell("ulimit -f 8; '" HEED_COMMAND "' " + arguments);
    EXPECT_EQ(r.code, 1) << arguments;
    EXPECT_TRUE(has(r.err, "File too large")) << arguments << r.err;
    EXPECT_EQ(folder.count(), files) << arguments;
  }
  expect_refusal(shell("ulimit -f 8; '" HEED_COMMAND "' " + call + " >many.csv"), call, {"File too large"});
}

/// However the file is spelled: nothing is written before that is said.
TEST_F(BadOutput, TwoOutputsToOneFile) {
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("same.csv", folder / "link.csv");
  std::filesystem::create_symlink("..", folder / "sub/up");
  folder.file("there.svg", "old");
  std::filesystem::create_hard_link(folder / "there.svg", folder / "hard.svg");
  const int files = folder.count();
  const std::string attend = "attend --queries q.npy --keys k.npy --values v.npy ",
                    regress = "regress good.csv --x x --y y --learn-bandwidth ";
  for (const std::string& arguments :
       {attend + "--out same.csv --weights same.csv", attend + "--out same.csv --weights ./sub/../same.csv",
        attend + "--out link.csv --weights same.csv", attend + "--out same.csv --weights sub/up/link.csv",
        attend + "--out same.csv --weights \"$PWD/same.csv\"", regress + "--plot there.svg --losses hard.svg",
        regress + "--plot f.svg --weights f.svg",
        std::string("encode --plot f.svg --columns 1 --heatmap ./f.svg")}) {
    const Result r = run(arguments);
    EXPECT_EQ(r.code, 2) << arguments;
    EXPECT_TRUE(has(r.err, "it is the same file")) << arguments << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(folder.count(), files) << arguments;
  }
  EXPECT_EQ(run(attend + "--out a.csv --weights b.csv").code, 0);
}

TEST_F(BadOutput, AFullStandardOutputIsAFailure) {
  if (!std::ifstream("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const std::string arguments : {"attend --queries q.npy --keys k.npy --values v.npy",
                                      "attend --queries q.npy --keys k.npy --values v.npy --json",
                                      "attend --queries q.npy --keys k.npy --values v.npy --heatmap -",
                                      "regress good.csv --x x --y y", "regress good.csv --x x --y y --json",
                                      "regress good.csv --x x --y y --plot -", "doctor", "doctor --json"}) {
    expect_refusal(shell("'" HEED_COMMAND "' " + arguments + " >/dev/full"), arguments,
                   {"cannot write to the standard output: No space left on device"});
  }
}

/// Weights of all pairs would take 80 GB; that is said, and not tried.
TEST_F(BadOutput, MoreMemoryThanThereIs) {
  heed::save(folder / "many.npy", heed::zeros({200000, 1}));
  const Result r =
      run("attend --queries many.npy --keys many.npy --values many.npy --window 0 --weights w.npy");
  expect_refusal(r, "weights of 200000 x 200000", {"memory"});
  EXPECT_FALSE(std::filesystem::exists(folder / "w.npy"));
}

}  // namespace
}  // namespace heed::test
