// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A file of named tensors whose structure has been checked; nothing of its data has been read.
#pragma once

#include "io/layout.h"
#include "io/source.h"

#include <heed/tensor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace heed::io {

class Collection {
 public:
  virtual ~Collection() = default;
  /// In the order of the file.
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// Checks all that can be checked of one tensor without memory for it.
  virtual void check_tensor(std::size_t index) const = 0;
  virtual Tensor read(std::size_t index) const = 0;

 protected:
  std::vector<std::string> names_;
};

/// Both keep `source`, which must live as long.
std::unique_ptr<Collection> open_npz(const Source& source);
std::unique_ptr<Collection> open_safetensors(const Source& source);

}  // namespace heed::io
