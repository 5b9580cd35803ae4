// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Everything: #include <heed/heed.h>
#pragma once

#include <heed/attend.h>
#include <heed/autograd.h>
#include <heed/dtype.h>
#include <heed/error.h>
#include <heed/explain.h>
#include <heed/io.h>
#include <heed/mask.h>
#include <heed/nn.h>
#include <heed/ops.h>
#include <heed/optim.h>
#include <heed/quote.h>
#include <heed/random.h>
#include <heed/regression.h>
#include <heed/runtime.h>
#include <heed/score.h>
#include <heed/shape.h>
#include <heed/suggest.h>
#include <heed/table.h>
#include <heed/tensor.h>
#include <heed/version.h>
#include <heed/viz.h>
