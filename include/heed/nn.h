// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Modules: #include <heed/nn.h>
#pragma once

#include <heed/nn/additive_attention.h>
#include <heed/nn/attention_layer.h>
#include <heed/nn/dot_product_attention.h>
#include <heed/nn/dropout.h>
#include <heed/nn/embedding.h>
#include <heed/nn/layer_norm.h>
#include <heed/nn/learned_positional_encoding.h>
#include <heed/nn/linear.h>
#include <heed/nn/module.h>
#include <heed/nn/module_list.h>
#include <heed/nn/multi_head_attention.h>
#include <heed/nn/nw_kernel_regression.h>
#include <heed/nn/positional_encoding.h>
#include <heed/nn/self_attention.h>
#include <heed/nn/state_file.h>
