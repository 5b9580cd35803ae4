// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/golden.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heed::test {
namespace {

template <class Map>
const auto& entry(const Map& map, const std::string& key, const std::string& where) {
  const auto found = map.find(key);
  if (found == map.end()) throw std::out_of_range("golden: no '" + key + "' in " + where);
  return found->second;
}

double number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) throw std::out_of_range("golden: '" + text + "' is not a number");
  return value;
}

Tensor read_tensor(std::istream& line) {
  static const std::map<std::string, Dtype> kDtypes = {
      {"f32", f32}, {"f64", f64}, {"i64", i64}, {"bool", boolean}};
  std::string dtype;
  int rank = 0;
  line >> dtype >> rank;
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    std::int64_t size = 0;
    line >> size;
    shape.push_back(size);
  }
  std::string word;
  line >> word;  // the colon
  std::vector<double> values;
  while (line >> word) values.push_back(number(word));
  return from_vector(values, shape).to(entry(kDtypes, dtype, "the dtypes"));
}

}  // namespace

std::map<std::string, GoldenCase> read_golden() {
  const std::string path = std::string(HEED_TESTS_DIR) + "/golden/torch_golden.txt";
  std::ifstream file(path);
  if (!file) throw std::out_of_range("golden: cannot read " + path);
  std::map<std::string, GoldenCase> cases;
  GoldenCase current;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    std::string key;
    line >> word >> key;
    if (word == "case") {
      current = {};
      current.name_ = key;
    } else if (word == "scalar") {
      line >> word;
      current.scalars_[key] = number(word);
    } else if (word == "tensor") {
      current.tensors_[key] = read_tensor(line);
    } else if (word == "end") {
      cases[current.name_] = current;
    }
  }
  return cases;
}

const Tensor& GoldenCase::tensor(const std::string& key) const { return entry(tensors_, key, name_); }
double GoldenCase::scalar(const std::string& key) const { return entry(scalars_, key, name_); }

const GoldenCase& golden(const std::string& name) {
  static const std::map<std::string, GoldenCase> kCases = read_golden();
  return entry(kCases, name, "torch_golden.txt");
}

}  // namespace heed::test
