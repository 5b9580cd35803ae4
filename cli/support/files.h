// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Files the command writes: refused before the work rather than after it, and never left half done.
#pragma once

#include "file_flags.h"

#include <heed/table.h>
#include <heed/tensor.h>

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

inline constexpr auto kTensorSuffixes =
    std::to_array<std::string_view>({".npy", ".npz", ".safetensors", ".csv"});
inline constexpr auto kPictureSuffixes = std::to_array<std::string_view>({".svg", ".png", ".pdf"});

/// An error now if `path` clearly cannot be written: minutes of work must not end in that. With `suffixes`, it must end in
/// one of them. No path at all is fine.
void check_output(const std::string& path, std::span<const std::string_view> suffixes = {});

/// Each replaces the file in one step, which no signal interrupts. What goes to the standard output as CSV is a row for each
/// along the last dimension, whatever the shape.
void save_output(const WriteFlags& flags, const heed::Tensor& x);
void save_output(const WriteFlags& flags, const std::map<std::string, heed::Tensor>& tensors);
void save_output(const WriteFlags& flags, const heed::Table& table);
void save_text(const std::string& path, std::string_view text);
