// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The parameters of modules in .safetensors files, and from .npz files.
#pragma once

#include <heed/nn/module.h>

#include <string>
#include <vector>

namespace heed::nn {

/// Writes every parameter under its dotted name. The file is replaced in one step.
HEED_API void save(const Module& module, const std::string& path);

struct LoadOptions {
  /// Whether every parameter must be in the file, and nothing else.
  bool strict = true;
};

struct LoadReport {
  std::vector<std::string> missing;     ///< parameters the file does not have; they keep their values
  std::vector<std::string> unexpected;  ///< names of the file that are no parameters; they are ignored
};

/// Copies the tensors of a .safetensors or .npz file into the parameters of those names. Names and shapes that do not fit are all listed in
/// one Error, and nothing is changed; without `strict`, names are reported instead and only shapes are Errors.
///
/// A MultiHeadAttention also takes what PyTorch's nn.MultiheadAttention saves: in_proj_weight (or q_proj_weight,
/// k_proj_weight and v_proj_weight), in_proj_bias and out_proj become W_q, W_k, W_v and W_o, at any depth.
HEED_API LoadReport load(Module& module, const std::string& path, const LoadOptions& options = {});

}  // namespace heed::nn
