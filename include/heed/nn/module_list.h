// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Modules of one type in a row.
#pragma once

#include <heed/nn/module.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace heed::nn {

/// A vector of modules that are children with the names "0", "1", ...
template <class M>
class ModuleList final : public Module {
 public:
  ModuleList() = default;
  explicit ModuleList(std::vector<M> items) : items_(std::move(items)) {}

  std::size_t size() const noexcept { return items_.size(); }
  M& operator[](std::size_t i) { return items_[i]; }
  const M& operator[](std::size_t i) const { return items_[i]; }
  auto begin() noexcept { return items_.begin(); }
  auto end() noexcept { return items_.end(); }
  auto begin() const noexcept { return items_.begin(); }
  auto end() const noexcept { return items_.end(); }
  void push_back(M item) { items_.push_back(std::move(item)); }

  std::string type_name() const override { return "ModuleList"; }
  bool prints_runs() const override { return true; }
  void visit(Visitor& visitor) override {
    for (std::size_t i = 0; i < items_.size(); ++i) visitor.module(std::to_string(i), items_[i]);
  }

 private:
  std::vector<M> items_;
};

}  // namespace heed::nn
