// A fit and its predictions as people, programs and files read them.
#pragma once

#include "regress/fit.h"

#include <heed/table.h>

#include <string>

namespace heed::command {

/// Bandwidth, errors, R² and what was dropped; then the predictions, if there are any.
std::string report_text(const Sample& sample, const Fit& fit, const Predictions* predictions);
std::string report_json(const Sample& sample, const Fit& fit, const Predictions* predictions);

/// To CSV as a table of x, y and standard errors (y_se); to .npz and .safetensors as x, y and y_se; to .npy the y alone.
void save_predictions(const std::string& path, const Sample& sample, const Predictions& predictions);

}  // namespace heed::command
