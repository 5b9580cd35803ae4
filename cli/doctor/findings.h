// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What this machine and this build have, and what is wrong with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heed::command {

/// A group of facts under one name; values are text, as people read them.
struct Section {
  std::string name;
  std::vector<std::pair<std::string, std::string>> facts;
};

struct Findings {
  std::vector<Section> sections;
  std::vector<std::string> problems;  ///< each one sentence with what to do
};

Findings look_around();

/// What `look_around` knows of the BLAS in this process: its name, and what it says about itself.
struct Blas {
  std::string config;  ///< empty if it says nothing
  int threads = 0;     ///< 0 if it does not say
  bool openmp = false;
};
Blas blas_in_use();

}  // namespace heed::command
