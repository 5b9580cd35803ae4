// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Optimisers: #include <heed/optim.h>
#pragma once

#include <heed/optim/adam.h>
#include <heed/optim/adamw.h>
#include <heed/optim/clip_grad_norm.h>
#include <heed/optim/optimizer.h>
#include <heed/optim/sgd.h>
