// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Figures where the command was told to put them.
#pragma once

#include <heed/viz.h>

#include <string>
#include <vector>

/// An error now if a figure could not be written there later. "-" and no path at all are fine.
void check_figure_output(const std::string& path);

/// To a .svg, .png or .pdf file; in characters to standard output if the path is "-".
void show_figure(const std::string& path, const heed::viz::Figure& figure,
                 const heed::viz::Canvas& canvas = {});

/// "a,b,c", or "@FILE" with one label per line.
std::vector<std::string> parse_labels(const std::string& text);

/// "reds", "blues", "viridis" and "diverging", in the order of their values.
extern const std::vector<std::string> kColourNames;
heed::viz::Colours parse_colours(const std::string& name);
