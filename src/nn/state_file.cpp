// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/nn/state_file.h>

#include "core/check.h"
#include "nn/torch_names.h"

#include <heed/io.h>

namespace heed::nn {
namespace {

constexpr const char* kSuffix = ".safetensors";

/// Takes out of `given` what `wanted` does not know, and fills in what it lacks.
LoadReport reconcile(Module::State& given, const Module::State& wanted) {
  LoadReport report;
  for (const auto& [name, parameter] : wanted) {
    if (given.contains(name)) continue;
    given.emplace(name, parameter.clone());
    report.missing.push_back(name);
  }
  for (const auto& [name, tensor] : given) {
    if (!wanted.contains(name)) report.unexpected.push_back(name);
  }
  for (const std::string& name : report.unexpected) given.erase(name);
  return report;
}

}  // namespace

void save(const Module& module, const std::string& path) {
  check(path.ends_with(kSuffix), module.type_name(), "save: expected a path that ends in {}, found {}",
        kSuffix, path);
  save_all(path, module.state());
}

LoadReport load(Module& module, const std::string& path, const LoadOptions& options) {
  check(path.ends_with(kSuffix) || path.ends_with(".npz"), module.type_name(),
        "load: expected a path that ends in {} or .npz, found {}", kSuffix, path);
  const Module::State wanted = module.state();
  Module::State given = with_own_names(load_all(path), wanted);
  const LoadReport report = options.strict ? LoadReport{} : reconcile(given, wanted);
  try {
    module.load_state(given);
  } catch (const Error& error) {
    throw Error(fmt::format("load: {}: {}", path, error.what()));
  }
  return report;
}

}  // namespace heed::nn
