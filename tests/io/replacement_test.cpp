// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Writing replaces a file in one step: after a failure, or a kill at any moment, the old file or the new one is there.
#include "support/errors.h"
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace heed::test {
namespace {

/// Runs `body` in a process of its own and returns its exit code, or -1 if a signal ended it.
template <class Body>
int in_child(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// 0 if `body` throws an Error with `message` in it.
template <class Body>
int code_of_error(const Body& body, const std::string& message) {
  try {
    body();
  } catch (const Error& error) {
    return std::string(error.what()).find(message) != std::string::npos ? 0 : 2;
  }
  return 1;
}

TEST(Replacement, FullDiskKeepsTheOldFile) {
  const Folder folder;
  for (const char* name : {"x.npy", "x.npz", "x.safetensors", "x.csv"}) {
    SCOPED_TRACE(name);
    save(folder / name, ones({3}));
    const int files = folder.count();
    EXPECT_EQ(in_child([&] {
                ::signal(SIGXFSZ, SIG_IGN);
                const rlimit limit{4096, 4096};
                ::setrlimit(RLIMIT_FSIZE, &limit);
                return code_of_error([&] { save(folder / name, zeros({10000})); },
                                     std::string(name) + ": cannot write: File too large");
              }),
              0);
    EXPECT_EQ(load(folder / name).numel(), 3);
    EXPECT_EQ(folder.count(), files) << "the temporary file is left";
  }
}

TEST(Replacement, DevicesAreNotReplaced) {
  Table table;
  table.add("x", ones({1}));
  expect_error([&] { save_table("/dev/null", table); },
               "/dev/null: is not a regular file, expected a file or nothing");
}

TEST(Replacement, PlacesThatCannotBeWritten) {
  const Folder folder;
  const std::string long_name(300, 'n');
  std::filesystem::create_directory(folder / "folder.npy");
  expect_errors({
      {[&] { save(folder / "folder.npy", ones({1})); },
       "folder.npy: is a directory, expected a file or nothing"},
      {[&] { save(folder / "gone/x.npy", ones({1})); },
       "x.npy: cannot create a temporary file beside it: No such file"},
      {[&] { save(folder / (long_name + ".npy"), ones({1})); }, "File name too long"},
      {[] { save(std::string("x\0.npy", 6), ones({1})); }, "a path cannot hold a zero byte"},
  });
  EXPECT_EQ(folder.count(), 1);
}

TEST(Replacement, WithoutPermission) {
  const Folder folder;
  save(folder / "x.npy", ones({1}));
  ASSERT_EQ(::chmod((folder / "x.npy").c_str(), 0), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  // Root may do anything; nobody may not.
  EXPECT_EQ(in_child([&] {
              constexpr uid_t kNobody = 65534;
              if (::geteuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0) return 3;
              const int read =
                  code_of_error([&] { load(folder / "x.npy"); }, "x.npy: cannot open: Permission denied");
              const int write =
                  code_of_error([&] { save(folder / "y.npy", ones({1})); }, "Permission denied");
              return read + write;
            }),
            0);
  ::chmod(folder.path().c_str(), 0700);
}

TEST(Replacement, KeepsModeAndLinks) {
  const Folder folder;
  const mode_t mask = ::umask(022);
  save(folder / "x.npy", ones({1}));
  ::umask(mask);
  struct stat status = {};
  ASSERT_EQ(::stat((folder / "x.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
  ASSERT_EQ(::chmod((folder / "x.npy").c_str(), 0600), 0);
  std::filesystem::create_symlink("x.npy", folder / "link.npy");
  save(folder / "link.npy", ones({2}));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_EQ(load(folder / "x.npy").numel(), 2);
  ASSERT_EQ(::stat((folder / "x.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

/// A link to what is not there yet says where it is wanted.
TEST(Replacement, FollowsLinksToFilesThatAreNotThereYet) {
  const Folder folder;
  std::filesystem::create_directory(folder / "far");
  std::filesystem::create_symlink("far/there.npy", folder / "second.npy");
  std::filesystem::create_symlink(folder / "second.npy", folder / "first.npy");
  save(folder / "first.npy", ones({2}));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first.npy"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second.npy"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "far/there.npy"));
  EXPECT_EQ(load(folder / "far/there.npy").numel(), 2);
  std::filesystem::create_symlink("gone/x.npy", folder / "nowhere.npy");
  std::filesystem::create_symlink("loop.npy", folder / "loop.npy");
  expect_errors({{[&] { save(folder / "nowhere.npy", ones({1})); }, "No such file"},
                 {[&] { save(folder / "loop.npy", ones({1})); }, "Too many levels of symbolic links"}});
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "loop.npy"));
}

TEST(Replacement, NamesAsLongAsTheSystemTakes) {
  const Folder folder;
  for (const std::size_t length : {90U, 100U, 110U, 200U, 240U, 250U, 255U}) {
    const std::string name = std::string(length - 4, 'n') + ".npy";
    save(folder / name, ones({3}));
    save(folder / name, ones({2}));
    EXPECT_EQ(load(folder / name).numel(), 2);
  }
  std::string chinese;
  for (int i = 0; i < 83; ++i) chinese += "长";
  save(folder / (chinese + ".npy"), ones({1}));
  EXPECT_EQ(folder.count(), 8);
}

TEST(Replacement, RelativePaths) {
  const Folder folder;
  EXPECT_EQ(in_child([&] {
              if (::chdir(folder.path().c_str()) != 0) return 3;
              save("x.npy", ones({3}));
              return load("x.npy").numel() == 3 ? 0 : 1;
            }),
            0);
}

/// A child saves all ones, all twos, ... over one file until it is killed; what is then there is whole.
TEST(Replacement, KilledAtAnyMoment) {
  constexpr std::int64_t kCount = 20000;
  const Folder folder;
  for (const char* name : {"x.npy", "x.npz", "x.safetensors"}) {
    SCOPED_TRACE(name);
    save(folder / name, full({kCount}, 0));
    for (int round = 0; round < 15; ++round) {
      const pid_t child = ::fork();
      if (child == 0) {
        for (int value = 1;; ++value) save(folder / name, full({kCount}, value));
      }
      ::usleep(static_cast<useconds_t>(500 + 1100 * round));
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
      const Tensor x = load(folder / name);
      ASSERT_EQ(x.shape(), (Shape{kCount}));
      const std::vector<double> values = x.to_vector();
      EXPECT_EQ(values, std::vector<double>(kCount, values.front()));
    }
  }
}

}  // namespace
}  // namespace heed::test
