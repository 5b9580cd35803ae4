// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The tensor a command is about: to a file, for a person at a terminal, or with every number for a program.
#pragma once

#include "file_flags.h"

#include <heed/tensor.h>

struct ResultFlags {
  WriteFlags out;
  bool json = false;
};

/// For a person as to_string() has it, which leaves out what is too much to read. For a program as CSV: all numbers, with
/// the digits that give the same ones again, a row for each along the last dimension.
enum class Reader : bool { kPerson, kProgram };

/// A person at a terminal, a program at the end of a pipe or a file.
Reader reader_of_output();

/// Writes it where the flags say, prints it as JSON if they say that, and prints it for `reader` if they say neither.
void give(const ResultFlags& flags, const heed::Tensor& x, Reader reader = reader_of_output());
