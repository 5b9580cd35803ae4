// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "viz/gnuplot.h"

#include "core/check.h"
#include "core/parallel.h"
#include "core/quote.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

extern char** environ;

namespace heed::viz {
namespace {

constexpr const char* kGnuplot = "gnuplot";

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail_to(const char* what, int error) {
  fail(kGnuplot, fmt::format("cannot {}: {}", what, std::strerror(error)));
}

/// A file that nobody else sees, and that is gone when closed.
File nameless_file() {
  File file(std::tmpfile());
  if (!file) fail_to("make a temporary file", errno);
  // The child gets it under another number, and no other child at all.
  ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

File file_of(const std::string& text) {
  File file = nameless_file();
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0) {
    fail_to("write a temporary file", errno);
  }
  std::rewind(file.get());
  return file;
}

std::string contents(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 1U << 16U> buffer;
  for (std::size_t count; (count = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;) {
    text.append(buffer.data(), count);
  }
  if (std::ferror(file) != 0) fail_to("read a temporary file", errno);
  return text;
}

/// Settings for posix_spawn that are given back.
struct Settings {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  Settings() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
  }
  ~Settings() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
};

pid_t start(std::FILE* in, std::FILE* out, std::FILE* err) {
  Settings settings;
  int standard = 0;
  for (std::FILE* file : {in, out, err}) {
    ::posix_spawn_file_actions_adddup2(&settings.files, ::fileno(file), standard++);
  }
  // What a program may ignore, its child must not inherit: gnuplot would write to a closed pipe for ever.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&settings.attributes, &signals);
  ::posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSIGDEF);
  // Without anybody's own settings; the script from standard input. As a file, for what "-" stands for is read byte by byte, and
  // took twenty times as long for a large heatmap.
  std::array<std::string, 3> words = {"gnuplot", "--default-settings", "/dev/stdin"};
  std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, "gnuplot", &settings.files, &settings.attributes, arguments.data(), environ);
  check(error != ENOENT, kGnuplot,
        "the program is not installed, and pictures are drawn by it (Debian: gnuplot-nox)");
  if (error != 0) fail_to("start it", error);
  return child;
}

/// A child that does not outlive whoever waits for it, be that interrupted.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (ended_) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int exit_code() {
    constexpr auto kPause = std::chrono::milliseconds(1);
    int status = 0;
    for (;; std::this_thread::sleep_for(kPause)) {
      const pid_t found = ::waitpid(id_, &status, WNOHANG);
      ended_ = found == id_;
      if (ended_) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (found < 0 && errno != EINTR) fail_to("wait for it", errno);
      poll_interrupt();
    }
  }

 private:
  pid_t id_;
  bool ended_ = false;
};

}  // namespace

std::string gnuplot(const std::string& script) {
  const File in = file_of(script), out = nameless_file(), err = nameless_file();
  const int code = Child(start(in.get(), out.get(), err.get())).exit_code();
  if (code != 0)
    fail(kGnuplot, fmt::format("it failed with code {}: {}", code, in_quotes(contents(err.get()))));
  // A complaint is not a failure to gnuplot: it leaves out what it complains of, and goes on.
  const std::string complaint = contents(err.get());
  if (!complaint.empty()) fail(kGnuplot, fmt::format("it complains: {}", in_quotes(complaint)));
  std::string picture = contents(out.get());
  if (picture.empty()) fail(kGnuplot, "it drew nothing");
  return picture;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  bool after_octal = false;
  for (const char c : text) {
    // Commands are run in backticks, and macros follow an @; as octal numbers they are neither. gnuplot reads on as
    // long as there are digits, so a digit after one is written alike. (In single quotes it expands nothing, but fails
    // on a text that begins with one.)
    const bool octal = c == '`' || c == '@' || (after_octal && c >= '0' && c <= '9');
    if (octal) {
      out += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    after_octal = octal;
  }
  return out + "\"";
}

std::string quoted_tick(std::string_view text) {
  std::string format;
  for (const char c : text) format.append(c == '%' ? 2 : 1, c);
  return quoted(format);
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

}  // namespace heed::viz
