// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The module tree, character by character as PyTorch prints it.
#include <heed/nn/module.h>

#include <ostream>

namespace heed::nn {
namespace {

/// Every line but the first goes two spaces to the right.
std::string indented(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

struct Child {
  std::string name;
  std::string text;
};

class CollectChildren final : public Module::Visitor {
 public:
  void parameter(const std::string&, Tensor&) override {}
  void module(const std::string& name, Module& child) override {
    children.push_back({name, to_string(child)});
  }

  std::vector<Child> children;
};

/// "(W_q): Linear(...)", or "(0-2): 3 x Linear(...)" for a run of equal children.
std::string line_of(const std::vector<Child>& children, std::size_t first, std::size_t last) {
  std::string text = "(" + children[first].name;
  if (last > first) text += "-" + children[last].name;
  text += "): ";
  if (last > first) text += std::to_string(last - first + 1) + " x ";
  return text + children[first].text;
}

}  // namespace

std::string to_string(const Module& module) {
  CollectChildren collect;
  const_cast<Module&>(module).visit(collect);  // NOLINT(cppcoreguidelines-pro-type-const-cast): only reads
  const std::vector<Child>& children = collect.children;
  const std::string options = module.options_text();
  if (children.empty()) return module.type_name() + "(" + options + ")";

  std::string text = module.type_name() + "(\n  ";
  if (!options.empty()) text += options + "\n  ";
  for (std::size_t first = 0; first < children.size();) {
    std::size_t last = first;
    while (module.prints_runs() && last + 1 < children.size() &&
           children[last + 1].text == children[first].text) {
      ++last;
    }
    if (first > 0) text += "\n  ";
    text += indented(line_of(children, first, last));
    first = last + 1;
  }
  return text + "\n)";
}

std::ostream& operator<<(std::ostream& out, const Module& module) { return out << to_string(module); }

}  // namespace heed::nn
