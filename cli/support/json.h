// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tensors as JSON.
#pragma once

#include <heed/tensor.h>

#include <nlohmann/json.hpp>

#include <string>

/// For programs, and harmless on a terminal: names from files are ASCII in it, whatever bytes they are made of.
std::string dumped(const nlohmann::ordered_json& json);

/// Lists in lists, as the shape says; NaN and infinite numbers are null.
nlohmann::ordered_json json_of(const heed::Tensor& x);
