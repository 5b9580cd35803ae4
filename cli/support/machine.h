// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What this machine lets the command have.
#pragma once

#include <cstddef>
#include <string>

/// Bytes of memory: all there is, or what the control group allows.
std::size_t usable_memory();

/// The first line of what a program prints; empty if it cannot be run.
std::string first_line_of(const std::string& command);

/// The whole of a small file; empty if it cannot be read.
std::string small_file(const std::string& path);
