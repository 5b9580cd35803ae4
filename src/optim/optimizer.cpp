// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/optim/optimizer.h>

#include "core/check.h"

#include <heed/autograd.h>

#include <cmath>
#include <set>
#include <unordered_map>

namespace heed::optim {
namespace {

void check_parameters(const std::vector<Tensor>& parameters, const char* name) {
  check(!parameters.empty(), name, "the list of parameters is empty");
  std::unordered_map<const void*, std::size_t> seen;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    check_floating(parameters[i], name, fmt::format("parameter {}", i));
    check(parameters[i].is_leaf(), name,
          "parameter {} is the result of an operation; only leaves can be optimised", i);
    const auto [entry, is_new] = seen.emplace(parameters[i].impl().get(), i);
    check(is_new, name, "parameter {} is the same tensor as parameter {}", i, entry->second);
  }
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

}  // namespace

Optimizer::Optimizer(std::vector<Tensor> parameters, Setup setup)
    : parameters_(std::move(parameters)),
      memories_(parameters_.size()),
      name_(setup.name),
      memory_names_(std::move(setup.memory_names)),
      lr_(0) {
  check_parameters(parameters_, name_);
  set_lr(setup.lr);
}

Optimizer::~Optimizer() = default;

void Optimizer::set_lr(double lr) {
  check(lr >= 0 && std::isfinite(lr), name_, "lr must be finite and at least 0, found {}", lr);
  lr_ = lr;
}

void Optimizer::zero_grad() {
  for (const Tensor& parameter : parameters_) parameter.set_grad({});
}

void Optimizer::step() {
  const NoGrad guard;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor grad = parameters_[i].grad();
    if (!grad.defined()) continue;
    const Tensor parameter = parameters_[i].contiguous();
    Memory& memory = memories_[i];
    if (memory.tensors.empty()) {
      for (std::size_t n = 0; n < memory_names_.size(); ++n) {
        memory.tensors.push_back(zeros(parameter.shape(), parameter.dtype()));
      }
    }
    ++memory.step;
    update(parameter, grad.contiguous(), memory);
    if (!parameters_[i].is_contiguous()) parameters_[i].copy_(parameter);
  }
}

Optimizer::State Optimizer::state() const {
  State entries;
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    const Memory& memory = memories_[i];
    if (memory.tensors.empty()) continue;
    entries.emplace(fmt::format("{}.step", i), full({}, memory.step, i64));
    for (std::size_t n = 0; n < memory_names_.size(); ++n) {
      entries.emplace(fmt::format("{}.{}", i, memory_names_[n]), memory.tensors[n]);
    }
  }
  return entries;
}

void Optimizer::load_state(const State& state) {
  std::set<std::string> unexpected;
  for (const auto& [name, tensor] : state) unexpected.insert(name);
  std::string missing;
  std::string wrong;
  std::vector<Memory> loaded(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size() && !memory_names_.empty(); ++i) {
    const auto take = [&](const std::string& what, const Shape& shape, bool floating) {
      const std::string name = fmt::format("{}.{}", i, what);
      unexpected.erase(name);
      const auto found = state.find(name);
      if (found == state.end() || !found->second.defined()) {
        append(missing, name);
        return Tensor();
      }
      const Tensor& x = found->second;
      if (x.shape() == shape && is_floating(x.dtype()) == floating) return x;
      append(wrong, fmt::format("{} (expected {}, found {} {})", name, shape, x.dtype(), x.shape()));
      return Tensor();
    };
    // A parameter that never had a gradient has no entries at all.
    const std::string prefix = fmt::format("{}.", i);
    const auto first = state.lower_bound(prefix);
    if (first == state.end() || !first->first.starts_with(prefix)) continue;
    const Tensor step = take("step", {}, false);
    if (step.defined()) loaded[i].step = step.item<std::int64_t>();
    for (const std::string& what : memory_names_) {
      const Tensor x = take(what, parameters_[i].shape(), true);
      if (x.defined()) loaded[i].tensors.push_back(x.detach().to(parameters_[i].dtype()).clone());
    }
  }
  std::string problems;
  if (!missing.empty()) problems += "; missing: " + missing;
  if (!unexpected.empty()) problems += fmt::format("; unexpected: {}", fmt::join(unexpected, ", "));
  if (!wrong.empty()) problems += "; of wrong shape or type: " + wrong;
  check(problems.empty(), name_, "load_state: the state does not fit{}", problems);
  memories_ = std::move(loaded);
}

}  // namespace heed::optim
