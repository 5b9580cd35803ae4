// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// The subcommands of heed, one file each. Each adds itself, its options and what it does.
#pragma once

#include <CLI/CLI.hpp>

void add_attend(CLI::App& app);
void add_attention_layer(CLI::App& app);
void add_bench(CLI::App& app);
void add_encode(CLI::App& app);
void add_bmm(CLI::App& app);
void add_completion(CLI::App& app);
void add_describe(CLI::App& app);
void add_doctor(CLI::App& app);
void add_explain(CLI::App& app);
void add_regress(CLI::App& app);
void add_man(CLI::App& app);
void add_masked_softmax(CLI::App& app);
void add_multi_head(CLI::App& app);
void add_pack(CLI::App& app);
void add_plot(CLI::App& app);
void add_self_attention(CLI::App& app);
void add_tour(CLI::App& app);
