// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// A fit and its predictions as people, programs and files read them.
#pragma once

#include "regress/fit.h"
#include "support/file_flags.h"

#include <heed/table.h>

#include <string>

namespace heed::command {

/// Bandwidth, errors, R² and what was dropped; then the predictions, if there are any.
std::string report_text(const Sample& sample, const Fit& fit, const Predictions* predictions);
std::string report_json(const Sample& sample, const Fit& fit, const Predictions* predictions);

/// What to be careful with, in one line; nothing if all is well.
std::string note_on(const Predictions& predictions);

/// To CSV as a table of x, y, standard errors (y_se), y_lower, y_upper, neighbours and outside; to .npz and .safetensors as
/// tensors of these names; to .npy the y alone.
void save_predictions(const WriteFlags& out, const Sample& sample, const Predictions& predictions);

}  // namespace heed::command
