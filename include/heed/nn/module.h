// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Modules: parameters with names, a training switch, and a printed tree.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heed::nn {

/// Base of everything with parameters. A module lists its parts in visit(); names, state, printing, train/eval and
/// conversion follow from that list. Copies share parameters, as copies of a Tensor share memory; clone() does not.
class HEED_API Module {
 public:
  /// What visit() reports to.
  class Visitor {
   public:
    virtual ~Visitor() = default;
    /// A learnable tensor; undefined ones (a bias that was not asked for) are skipped.
    virtual void parameter(const std::string& name, Tensor& tensor) = 0;
    virtual void module(const std::string& name, Module& child) = 0;
  };

  virtual ~Module();

  /// "Linear", as printed.
  virtual std::string type_name() const = 0;
  /// "in_features=3, out_features=4, bias=True": what is printed in the parentheses.
  virtual std::string options_text() const { return ""; }
  /// Whether runs of equal children are printed once: "(0-2): 3 x Linear(...)".
  virtual bool prints_runs() const { return false; }
  virtual void visit(Visitor& visitor) = 0;

  /// (dotted name, tensor) of every parameter, children included, in the order of declaration; one that is used in
  /// several places is listed once, under its first name.
  std::vector<std::pair<std::string, Tensor>> named_parameters() const;
  std::vector<Tensor> parameters() const;
  std::int64_t parameter_count() const;

  /// Name -> tensor, sharing the parameters' memory. An ordered map, so that files made of it are stable. Each name
  /// of a parameter that is used in several places has its entry.
  using State = std::map<std::string, Tensor>;
  State state() const;
  /// Copies values in, between f32 and f64 too. Missing, unexpected and misshapen entries are all listed in one
  /// Error, and nothing is changed.
  void load_state(const State& state);

  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const noexcept { return training_; }

  /// Converts all parameters that are of another type to new tensors without gradients; to be called before the
  /// parameters are handed to an optimiser.
  void to(Dtype dtype);
  void zero_grad();
  /// Switches requires_grad of every parameter: freezing and thawing.
  void requires_grad_(bool wanted);

 protected:
  Module() = default;
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;

 private:
  bool training_ = true;
};

/// A copy with parameters of its own.
template <class M>
M clone(const M& module);

/// The tree as PyTorch prints it.
HEED_API std::string to_string(const Module& module);
HEED_API std::ostream& operator<<(std::ostream& out, const Module& module);

namespace detail {
/// Replaces every parameter of `module` by a copy of its own; what was shared inside the module stays shared.
HEED_API void unshare_parameters(Module& module);
}  // namespace detail

template <class M>
M clone(const M& module) {
  M copy = module;
  detail::unshare_parameters(copy);
  return copy;
}

}  // namespace heed::nn
