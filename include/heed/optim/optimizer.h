// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What all optimisers have in common: a list of parameters, a learning rate, and something remembered for each.
#pragma once

#include <heed/export.h>
#include <heed/tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heed::optim {

/// Changes parameters in place by their gradients. A parameter without a gradient is left alone, and so is what is
/// remembered for it. Numbers are those of the PyTorch optimiser of the same name.
class HEED_API Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  void step();
  /// Clears the gradients, so that the next backward() starts from none.
  void zero_grad();

  double lr() const noexcept { return lr_; }
  void set_lr(double lr);
  const std::vector<Tensor>& parameters() const noexcept { return parameters_; }

  /// What is remembered, by position of the parameter: "0.step", "0.momentum_buffer". Shares memory. To be kept beside
  /// the parameters; lr and the other options are not in it.
  using State = std::map<std::string, Tensor>;
  State state() const;
  /// Copies in what an optimiser of the same kind over the same parameters remembered. Everything that does not fit is
  /// listed in one Error, and nothing is changed.
  void load_state(const State& state);

 protected:
  struct Memory {
    std::int64_t step = 0;        ///< how many updates there were, the running one included
    std::vector<Tensor> tensors;  ///< like the parameter, one for each name; zeros before the first update
  };
  struct Setup {
    const char* name = "";                       ///< what errors begin with
    std::vector<std::string> memory_names = {};  ///< as in PyTorch's state
    double lr = 0;
  };
  Optimizer(std::vector<Tensor> parameters, Setup setup);

  /// One update. Parameter, grad and memory are contiguous and of one type.
  virtual void update(const Tensor& parameter, const Tensor& grad, const Memory& memory) = 0;

 private:
  std::vector<Tensor> parameters_;
  std::vector<Memory> memories_;
  const char* name_;
  std::vector<std::string> memory_names_;
  double lr_;
};

}  // namespace heed::optim
