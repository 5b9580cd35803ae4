// The subcommands of heed, one file each. Each adds itself, its options and what it does.
#pragma once

#include <CLI/CLI.hpp>

void add_attend(CLI::App& app);
void add_bench(CLI::App& app);
void add_encode(CLI::App& app);
void add_doctor(CLI::App& app);
void add_explain(CLI::App& app);
void add_regress(CLI::App& app);
void add_plot(CLI::App& app);
void add_tour(CLI::App& app);
