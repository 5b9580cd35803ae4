// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Everything a module can do follows from one walk over the names it reports in visit().
#include <heed/nn/module.h>

#include "core/check.h"

#include <heed/autograd.h>

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace heed::nn {
namespace {

using OnParameter = std::function<void(const std::string& name, Tensor& parameter)>;

/// Calls `on_parameter` with the dotted name of every parameter of the tree.
class Walk final : public Module::Visitor {
 public:
  explicit Walk(const OnParameter& on_parameter, std::string prefix = "")
      : on_parameter_(on_parameter), prefix_(std::move(prefix)) {}

  void parameter(const std::string& name, Tensor& tensor) override {
    if (tensor.defined()) on_parameter_(prefix_ + name, tensor);
  }
  void module(const std::string& name, Module& child) override {
    Walk deeper(on_parameter_, prefix_ + name + ".");
    child.visit(deeper);
  }

 private:
  const OnParameter& on_parameter_;
  std::string prefix_;
};

void for_each_parameter(Module& module, const OnParameter& on_parameter) {
  Walk walk(on_parameter);
  module.visit(walk);
}

/// visit() hands out references that could be written to; these callers only read.
void for_each_parameter(const Module& module, const OnParameter& on_parameter) {
  for_each_parameter(const_cast<Module&>(module),
                     on_parameter);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

/// Puts make(parameter) in the place of every parameter, once for each, wherever it is used.
void replace_parameters(Module& module, const std::function<Tensor(const Tensor&)>& make) {
  const NoGrad guard;
  std::unordered_map<const void*, Tensor> replacements;
  std::vector<Tensor> originals;  // keeps their addresses from being used again
  for_each_parameter(module, [&](const std::string&, Tensor& parameter) {
    auto [entry, is_new] = replacements.try_emplace(parameter.impl().get());
    if (is_new) {
      originals.push_back(parameter);
      entry->second = make(parameter);
      entry->second.requires_grad_(parameter.requires_grad());
    }
    parameter = entry->second;
  });
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

/// What keeps `given` from being loaded into `wanted`, or nothing.
std::string misfits(const Module::State& wanted, const Module::State& given) {
  std::string missing;
  std::string unexpected;
  std::string wrong;
  for (const auto& [name, tensor] : wanted) {
    const auto found = given.find(name);
    if (found == given.end() || !found->second.defined()) {
      append(missing, name);
    } else if (found->second.shape() != tensor.shape() || !is_floating(found->second.dtype())) {
      append(wrong, fmt::format("{} (expected {} {}, found {} {})", name, tensor.dtype(), tensor.shape(),
                                found->second.dtype(), found->second.shape()));
    }
  }
  for (const auto& [name, tensor] : given) {
    if (!wanted.contains(name)) append(unexpected, name);
  }
  std::string text;
  if (!missing.empty()) text += "; missing: " + missing;
  if (!unexpected.empty()) text += "; unexpected: " + unexpected;
  if (!wrong.empty()) text += "; of wrong shape or type: " + wrong;
  return text;
}

class SetTraining final : public Module::Visitor {
 public:
  explicit SetTraining(bool on) : on_(on) {}
  void parameter(const std::string&, Tensor&) override {}
  void module(const std::string&, Module& child) override { child.train(on_); }

 private:
  bool on_;
};

}  // namespace

Module::~Module() = default;

std::vector<std::pair<std::string, Tensor>> Module::named_parameters() const {
  std::vector<std::pair<std::string, Tensor>> found;
  std::unordered_set<const void*> seen;
  for_each_parameter(*this, [&](const std::string& name, const Tensor& parameter) {
    if (seen.insert(parameter.impl().get()).second) found.emplace_back(name, parameter);
  });
  return found;
}

std::vector<Tensor> Module::parameters() const {
  std::vector<Tensor> found;
  for (auto& [name, parameter] : named_parameters()) found.push_back(parameter);
  return found;
}

std::int64_t Module::parameter_count() const {
  std::int64_t count = 0;
  for (const auto& [name, parameter] : named_parameters()) count += parameter.numel();
  return count;
}

Module::State Module::state() const {
  State entries;
  for_each_parameter(*this, [&](const std::string& name, const Tensor& parameter) {
    check(entries.emplace(name, parameter.detach()).second, type_name(), "two parameters have the name {}",
          name);
  });
  return entries;
}

void Module::load_state(const State& given) {
  const State own = state();
  const std::string problems = misfits(own, given);
  check(problems.empty(), type_name(), "load_state: the state does not fit{}", problems);
  const NoGrad guard;
  for (const auto& [name, parameter] : own) parameter.copy_(given.at(name));
}

void Module::train(bool on) {
  training_ = on;
  SetTraining visitor(on);
  visit(visitor);
}

void Module::to(Dtype dtype) {
  check(is_floating(dtype), type_name(), "to: parameters can be f32 or f64, found {}", dtype);
  replace_parameters(*this, [dtype](const Tensor& parameter) {
    return parameter.dtype() == dtype ? parameter : parameter.to(dtype);
  });
}

void Module::zero_grad() {
  for_each_parameter(*this, [](const std::string&, const Tensor& parameter) { parameter.set_grad({}); });
}

void Module::requires_grad_(bool wanted) {
  for_each_parameter(
      *this, [wanted](const std::string&, const Tensor& parameter) { parameter.requires_grad_(wanted); });
}

void detail::unshare_parameters(Module& module) {
  replace_parameters(module, [](const Tensor& parameter) { return parameter.clone(); });
}

}  // namespace heed::nn
