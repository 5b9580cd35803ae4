// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "serve.h"

#include "measure.h"
#include "select.h"

#include <fmt/format.h>

#include <exception>
#include <istream>
#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace heed::bench {
namespace {

class Server {
 public:
  double answer(const std::string& request) {
    std::istringstream words(request);
    std::string name;
    int threads = 0;
    double seconds = 0;
    if (!(words >> name >> threads >> seconds) || threads < 1 || !(seconds > 0)) {
      throw std::invalid_argument("expected NAME THREADS SECONDS");
    }
    const Run& run = prepared(name);
    // Warms up as well: since the last request the caches have served somebody else.
    const int runs = runs_filling(seconds, run, threads);
    return seconds_per_run(run, threads, runs);
  }

 private:
  const Run& prepared(const std::string& name) {
    const auto known = runs_.find(name);
    if (known != runs_.end()) return known->second;
    const Case* found = find_case(name);
    if (!found) throw std::invalid_argument(fmt::format("there is no case '{}'", name));
    return runs_.emplace(name, found->prepare()).first->second;
  }

  std::map<std::string, Run> runs_;
};

}  // namespace

void serve(std::istream& requests, std::ostream& answers) {
  Server server;
  for (std::string request; std::getline(requests, request);) {
    try {
      answers << fmt::format("{:.9g}", server.answer(request)) << std::endl;
    } catch (const std::exception& e) {
      answers << "error: " << e.what() << std::endl;
    }
  }
}

}  // namespace heed::bench
