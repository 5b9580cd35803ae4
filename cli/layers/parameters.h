// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The sizes of a module, from the parameters that were saved of it.
#pragma once

#include <heed/nn.h>

#include <cstdint>
#include <map>
#include <string>

namespace heed::command {

/// Modules as a .npz or .safetensors file of parameters describes them, with these parameters and in evaluation mode. What
/// the file lacks or has too much is an Error that names it. PyTorch's names do for multi-head attention.
nn::MultiHeadAttention multi_head_attention(const std::string& file, std::int64_t heads);
nn::SelfAttention self_attention(const std::string& file, std::int64_t heads);
nn::AttentionLayer attention_layer(const std::string& file);

}  // namespace heed::command
