// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Reads tests/golden/torch_golden.txt, whose format stands in tests/golden/README.md.
#pragma once

#include <heed/heed.h>

#include <map>
#include <string>

namespace heed::test {

class GoldenCase {
 public:
  const Tensor& tensor(const std::string& key) const;
  double scalar(const std::string& key) const;
  bool has(const std::string& key) const { return tensors_.contains(key) || scalars_.contains(key); }

 private:
  friend std::map<std::string, GoldenCase> read_golden();
  std::string name_;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, double> scalars_;
};

/// The case of that name; an unknown name, like an unknown key, is a std::out_of_range that says which.
const GoldenCase& golden(const std::string& name);

}  // namespace heed::test
