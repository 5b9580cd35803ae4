// The subcommands of heed, one file each. Each adds itself, its options and what it does.
#pragma once

#include <CLI/CLI.hpp>

void add_tour(CLI::App& app);
