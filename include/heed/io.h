// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tensors in files: .npy, .npz, .safetensors and CSV. A bad file is an Error that names the file, the byte or line, the
// field, what was expected and what was found. docs/files.md says what is read and what is promised.
#pragma once

#include <heed/export.h>
#include <heed/table.h>
#include <heed/tensor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

enum class FileFormat : std::uint8_t { kNpy, kNpz, kSafetensors, kCsv };

/// By the end of the path, or else by the first bytes of the file: what is none of the others is text.
HEED_API FileFormat file_format(const std::string& path);

/// The tensor at an address:
///
///     x.npy                  its only tensor
///     x.npz:keys             one of several; without a name, the file must hold just one
///     x.safetensors:keys     likewise
///     x.csv:waist            a column, (rows,); without a name all of them, (rows, columns); f64
///     -  and  -:keys         the standard input, of whichever of these formats it is
///
/// f16 and bf16 become f32, integers i64; a number that i64 cannot hold is an Error. The tensor is contiguous. Where a
/// file has the whole address for its name, that file is meant.
HEED_API Tensor load(const std::string& address, const CsvOptions& csv = {});

/// Every tensor of a .npz or .safetensors file, or every column of a CSV file, under its name.
HEED_API std::map<std::string, Tensor> load_all(const std::string& path, const CsvOptions& csv = {});

struct SaveOptions {
  bool compress = false;                            ///< deflate the members of a .npz file
  std::optional<FileFormat> format = std::nullopt;  ///< whatever the path ends in; needed for "-"
  char separator = ',';                             ///< between the fields of a CSV file
};

/// Writes x in the format that the path ends in; "-" is the standard output. In .npz and .safetensors it gets numpy's default name, arr_0; a CSV
/// file takes rank 0 to 2, and gets no header. The file is replaced in one step: whatever happens, what the path names
/// is the old file or the new one.
HEED_API void save(const std::string& path, const Tensor& x, const SaveOptions& options = {});

/// Writes several tensors to a .npz or .safetensors file, or columns of equal length to a CSV file.
HEED_API void save_all(const std::string& path, const std::map<std::string, Tensor>& tensors,
                       const SaveOptions& options = {});

/// Writes bytes of any kind. The file is replaced in one step here too.
HEED_API void save_bytes(const std::string& path, std::string_view bytes);

/// The file that writing to `path` replaces or makes: links are followed, also one to a file that is not there yet.
HEED_API std::string written_file(const std::string& path);

}  // namespace heed
