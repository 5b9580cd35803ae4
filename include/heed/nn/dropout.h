// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Zeroes elements at random while training.
#pragma once

#include <heed/nn/module.h>

namespace heed::nn {

struct DropoutOptions {
  double p = 0.5;
};

/// In training each element becomes 0 with probability p and the rest is scaled by 1/(1-p); in eval nothing happens.
class HEED_API Dropout : public Module {
 public:
  explicit Dropout(const DropoutOptions& options = {});

  Tensor operator()(const Tensor& x) const;

  double p() const noexcept { return p_; }
  /// p in training, 0 in eval.
  double rate() const noexcept { return is_training() ? p_ : 0; }

  std::string type_name() const override;
  std::string options_text() const override;
  void visit(Visitor& visitor) override;

 private:
  double p_;
};

}  // namespace heed::nn
