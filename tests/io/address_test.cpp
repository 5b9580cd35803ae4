// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Which file an address means, and what is said when it means none.
#include "support/errors.h"
#include "support/files.h"
#include "support/tensors.h"

#include <gtest/gtest.h>
#include <heed/heed.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

namespace heed::test {
namespace {

TEST(Address, NamesInFiles) {
  const Folder folder;
  save_all(folder / "x.npz", {{"keys", tensor({1})}, {"a:b", tensor({2})}});
  EXPECT_EQ(load(folder / "x.npz:keys").item(), 1);
  EXPECT_EQ(load(folder / "x.npz:a:b").item(), 2);
}

TEST(Address, AnExistingPathWins) {
  const Folder folder;
  save_all(folder / "x.npz", {{"y.npy", tensor({1})}});
  EXPECT_EQ(load(folder / "x.npz:y.npy").item(), 1);
  save(folder / "x.npz:y.npy", tensor({2}));
  EXPECT_EQ(load(folder / "x.npz:y.npy").item(), 2);
  save_all(folder / "a:b.npz", {{"c", tensor({3})}});
  EXPECT_EQ(load(folder / "a:b.npz:c").item(), 3);
}

TEST(Address, WithoutANameThereMustBeOneTensor) {
  const Folder folder;
  save_all(folder / "one.safetensors", {{"x", tensor({1})}});
  EXPECT_EQ(load(folder / "one.safetensors").item(), 1);
  save_all(folder / "two.npz", {{"x", tensor({1})}, {"y", tensor({1})}});
  expect_error([&] { load(folder / "two.npz"); },
               "holds 2 tensors; say which, as " + (folder / "two.npz") + ":NAME; there are 'x', 'y'");
}

TEST(Address, UnknownNamesListWhatIsThere) {
  const Folder folder;
  save_all(folder / "x.npz", {{"queries", tensor({1})}, {"keys", tensor({1})}});
  save_all(folder / "none.safetensors", {});
  save(folder / "x.npy", tensor({1}));
  std::map<std::string, Tensor> many;
  for (int i = 0; i < 30; ++i) many["layer" + std::to_string(i)] = tensor({1});
  save_all(folder / "many.npz", many);
  expect_errors({
      {[&] { load(folder / "x.npz:querys"); },
       "x.npz: no tensor 'querys'; did you mean 'queries'? There are 'keys', 'queries'"},
      {[&] { load(folder / "x.npz:zzz"); }, "no tensor 'zzz'; there are 'keys', 'queries'"},
      {[&] { load(folder / "none.safetensors:x"); }, "no tensor 'x'; there are none"},
      {[&] { load(folder / "many.npz:q"); }, "and 10 more"},
      {[&] { load(folder / "x.npy:x"); },
       "x.npy: a .npy file holds one tensor without a name, found the name 'x'"},
      {[&] { load_all(folder / "x.npy"); }, "load() reads it"},
      {[&] { load(folder / "gone.npz:x"); }, "gone.npz: cannot open: No such file or directory"},
      {[&] { load(folder / "gone"); }, "gone: cannot open: No such file"},
      {[&] { load(folder.path()); }, "is a directory, expected a file"},
      {[&] { load(folder.path() + ":x"); }, "is a directory, expected a file"},
      {[&] { load(""); }, "cannot open: No such file"},
      {[&] { load(folder / "a\x1b[31m.npy"); }, "a\\x1b[31m.npy: cannot open"},
      {[&] { load(folder / "x.npy" + std::string("\0y", 2)); }, "a path cannot hold a zero byte"},
  });
}

TEST(Address, UnknownSuffixesAreReadByTheirContent) {
  const Folder folder;
  for (const char* name : {"x.npy", "x.npz", "x.safetensors", "x.csv"}) {
    save(folder / name, tensor({{1, 2}}));
    const std::string path = folder.file("unknown", file_bytes(folder / name));
    EXPECT_EQ(load(path).to_vector(), (std::vector<double>{1, 2})) << name;
  }
  save(folder / "X.NPY", tensor({1}));
  EXPECT_EQ(load(folder / "X.NPY").item(), 1);
}

/// Runs `body` with the standard input coming from a file.
template <class Body>
void with_input(const std::string& path, const Body& body) {
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ::dup2(file, STDIN_FILENO);
  ::close(file);
  body();
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST(Address, StandardInput) {
  const Folder folder;
  for (const char* name : {"x.npy", "x.npz", "x.safetensors", "x.csv"}) {
    SCOPED_TRACE(name);
    save(folder / name, tensor({{1, 2}}));
    with_input(folder / name, [] { EXPECT_EQ(load("-").to_vector(), (std::vector<double>{1, 2})); });
  }
  save_all(folder / "x.npz", {{"a", tensor({1})}, {"b", tensor({2})}});
  with_input(folder / "x.npz", [] { EXPECT_EQ(load("-:b").item(), 2); });
  with_input(folder / "x.npz", [] { EXPECT_EQ(load_all("-").size(), 2U); });
  with_input(folder.file("x.csv", "a,b\n1,2\n"), [] { EXPECT_EQ(load_table("-").rows(), 1); });
  with_input("/dev/null",
             [] { expect_error([] { load("-"); }, "standard input: expected at least one row"); });
  with_input(folder.file("cut", file_bytes(folder / "x.npy").substr(0, 20)),
             [] { expect_error([] { load("-"); }, "standard input: byte 10: header: expected"); });
}

TEST(Address, ReadsPipes) {
  const Folder folder;
  const std::string pipe = folder / "pipe.npy";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  save(folder / "x.npy", arange(100000));
  std::jthread writer([&] {
    const std::string bytes = file_bytes(folder / "x.npy");
    const int file = ::open(pipe.c_str(), O_WRONLY);
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = ::write(file, bytes.data() + sent, std::min<std::size_t>(bytes.size() - sent, 70000));
      if (n <= 0) break;
      sent += static_cast<std::size_t>(n);
    }
    ::close(file);
  });
  EXPECT_TRUE(same_bits(load(pipe), arange(100000)));
  expect_error([&] { save(pipe, ones({1})); }, "is not a regular file, expected a file or nothing");
}

}  // namespace
}  // namespace heed::test
