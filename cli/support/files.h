// Files the command writes: refused before the work rather than after it, and never left half done.
#pragma once

#include <heed/table.h>
#include <heed/tensor.h>

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

inline constexpr std::initializer_list<std::string_view> kTensorSuffixes = {".npy", ".npz", ".safetensors",
                                                                            ".csv"};
inline constexpr std::initializer_list<std::string_view> kPictureSuffixes = {".svg", ".png", ".pdf"};

/// An error now if `path` ends in none of `suffixes` or clearly cannot be written: minutes of work must not end in that.
/// No path at all is fine.
void check_output(const std::string& path, std::initializer_list<std::string_view> suffixes);

void save_output(const std::string& path, const heed::Tensor& x);
void save_output(const std::string& path, const std::map<std::string, heed::Tensor>& tensors);
void save_output(const std::string& path, const heed::Table& table);
