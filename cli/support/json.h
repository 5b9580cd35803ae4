// Tensors as JSON.
#pragma once

#include <heed/tensor.h>

#include <nlohmann/json.hpp>

/// Lists in lists, as the shape says; NaN and infinite numbers are null.
nlohmann::ordered_json json_of(const heed::Tensor& x);
